// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage 2, select: keeps what the job asked for and what that needs. Roots are the asked kernels (all of them if the
// job names none), the functions exported to C where the target makes libraries, and the variables the host may reach;
// everything else becomes internal or goes.
//
//   before: linkonce_odr @_Z5saxpyIfE… and @_Z5saxpyIdE…, linkonce_odr helpers, @lut "lathe.constant"
//   after:  external @_Z5saxpyIfE… (the one asked for), internal helpers it calls, external @lut
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"

#include "core/frontend/entry_layout.h"
#include "core/lower/lowering.h"
#include "core/support/llvm_bridge.h"

namespace lathe::detail {
namespace {

std::uint32_t numberAttribute(const llvm::Function& function, const char* name) {
  std::uint32_t out = 0;
  const llvm::Attribute set = function.getFnAttribute(name);
  if (set.isValid()) (void)set.getValueAsString().split(',').first.getAsInteger(10, out);
  return out;
}

LaunchBounds boundsOf(const llvm::Function& kernel, const LaunchBounds& job) {
  LaunchBounds out = job;
  const auto take = [&](std::uint32_t& to, const char* name) {
    if (const std::uint32_t own = numberAttribute(kernel, name)) to = own;
  };
  take(out.maxItems, attribute::maxItems);
  take(out.minGroups, attribute::minGroups);
  take(out.maxRegisters, attribute::maxRegisters);
  if (const llvm::Attribute size = kernel.getFnAttribute(attribute::groupSize); size.isValid()) {
    llvm::SmallVector<llvm::StringRef, 3> parts;
    size.getValueAsString().split(parts, ',');
    for (std::size_t i = 0; i < 3; ++i) {
      out.groupSize[i] = 1;
      if (i < parts.size()) (void)parts[i].getAsInteger(10, out.groupSize[i]);
    }
  }
  return out;
}

EntryPoint makeEntry(llvm::Function& kernel, const std::string* askedName, const Job& job) {
  EntryPoint out = entryOf(kernel);
  if (askedName) out.name = *askedName;
  out.symbol = kernel.getName().str();
  out.abi = job.options.entryAbi;
  out.bounds = boundsOf(kernel, job.options.launchBounds);
  kernel.setLinkage(llvm::GlobalValue::ExternalLinkage);
  kernel.setComdat(nullptr);
  return out;
}

/// Gives one exported function the C calling convention of every platform, which is alike for scalars and pointers
/// only: how aggregates travel in registers, the portable IR does not say.
llvm::Error exportFunction(llvm::Function& function, Lowering& lowering) {
  EntryPoint described = entryOf(function, lowering.descriptor.frontend == "plain");
  ExportedFunction out{function.getName().str(), resultOf(function), std::move(described.parameters)};
  const auto refuse = [&](std::string what) {
    return toLlvm(
        {.code = ErrorCode::Unsupported,
         .message = "exported function '" + out.name + "' " + std::move(what),
         .hint = "pass a pointer, or compile for a target with 'frontend: plain', which knows its platform's rules",
         .stage = "select",
         .target = lowering.descriptor.name,
         .location = locationOf(function)});
  };
  if (function.isVarArg()) return refuse("takes a variable number of arguments");
  if (lowering.descriptor.frontend == "device") {
    if (out.result.size != 0 && !passedByValue(out.result)) return refuse("returns '" + out.result.name + "' by value");
    for (const Parameter& parameter : out.parameters) {
      if (!passedByValue(parameter.type))
        return refuse("takes parameter '" + parameter.name + "' of type '" + parameter.type.name + "' by value");
    }
    // Callers differ in how they extend narrow integers: rely on none.
    for (llvm::Argument& argument : function.args()) {
      argument.removeAttr(llvm::Attribute::ZExt);
      argument.removeAttr(llvm::Attribute::SExt);
    }
  }
  function.setLinkage(llvm::GlobalValue::ExternalLinkage);
  function.setComdat(nullptr);
  function.setCallingConv(llvm::CallingConv::C);
  lowering.interface.functions.push_back(std::move(out));
  return llvm::Error::success();
}

llvm::Error noKernels(const Job& job) {
  return toLlvm({.code = ErrorCode::UnknownKernel,
                 .message = job.source.name + " defines no kernel",
                 .hint = "mark a function as a kernel; a template needs a name such as 'saxpy<float>'",
                 .stage = "select"});
}

}  // namespace

llvm::Error stage::select(Lowering& lowering) {
  llvm::Module& module = *lowering.module;
  if (lowering.namedEntries.empty()) {
    for (llvm::Function& function : module) {
      if (!function.isDeclaration() && function.hasFnAttribute(attribute::kernel)) {
        lowering.info.entries.push_back(makeEntry(function, nullptr, lowering.job));
      }
    }
  }
  for (const NamedEntry& named : lowering.namedEntries) {
    llvm::Function* const function = module.getFunction(named.symbol);
    if (!function || function->isDeclaration() || !function->hasFnAttribute(attribute::kernel)) {
      return toLlvm(
          {.code = ErrorCode::UnknownKernel,
           .message = "'" + named.name + "' is declared but not defined as a kernel in " + lowering.job.source.name,
           .stage = "select"});
    }
    lowering.info.entries.push_back(makeEntry(*function, &named.name, lowering.job));
  }
  if (lowering.descriptor.kernel.launchers) {
    for (llvm::Function& function : module) {
      if (function.isDeclaration() || !function.hasFnAttribute(attribute::exported)) continue;
      if (auto error = exportFunction(function, lowering)) return error;
    }
  }
  if (lowering.info.entries.empty() && lowering.interface.functions.empty()) return noKernels(lowering.job);

  std::vector<const llvm::GlobalValue*> roots;
  for (const EntryPoint& entry : lowering.info.entries) roots.push_back(module.getFunction(entry.symbol));
  for (const ExportedFunction& exported : lowering.interface.functions)
    roots.push_back(module.getFunction(exported.name));
  for (llvm::Function& function : module) {
    if (function.isDeclaration() || llvm::is_contained(roots, &function)) continue;
    function.removeFnAttr(attribute::kernel);
    function.setLinkage(llvm::GlobalValue::InternalLinkage);
    function.setComdat(nullptr);
  }
  for (llvm::GlobalVariable& variable : module.globals()) {
    if (variable.isDeclaration()) continue;
    variable.setComdat(nullptr);
    const bool hostVisible = variable.hasAttribute(attribute::constant) || variable.hasAttribute(attribute::global);
    if (hostVisible && !variable.hasLocalLinkage()) {
      variable.setLinkage(llvm::GlobalValue::ExternalLinkage);
      variable.setExternallyInitialized(true);  // the host may write it before a launch
      variable.setConstant(false);
    } else {
      variable.setLinkage(llvm::GlobalValue::InternalLinkage);
    }
  }
  llvm::ModuleAnalysisManager analyses;
  llvm::PassBuilder().registerModuleAnalyses(analyses);
  llvm::GlobalDCEPass().run(module, analyses);
  return llvm::Error::success();
}

}  // namespace lathe::detail
