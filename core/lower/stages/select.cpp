// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stages entries, exports and select: keep what the job asked for and what that needs. Roots are the asked kernels (all
// of them if the job names none), the functions exported to C where the target makes libraries, and the variables the
// host may reach; everything else becomes internal or goes.
//
//   before: linkonce_odr @_Z5saxpyIfE… and @_Z5saxpyIdE…, linkonce_odr helpers, @lut "lathe.constant"
//   after:  external @_Z5saxpyIfE… (the one asked for), internal helpers it calls, external @lut
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

#include <fmt/ranges.h>

#include "core/frontend/entry_layout.h"
#include "core/lower/launched_kernels.h"
#include "core/lower/lowering.h"
#include "core/lower/stages.h"
#include "core/support/diagnostics.h"
#include "core/support/llvm_bridge.h"

namespace lathe::detail {
namespace {

std::uint32_t numberAttribute(const llvm::Function& function, const char* name) {
  std::uint32_t out = 0;
  const llvm::Attribute set = function.getFnAttribute(name);
  if (set.isValid()) (void)set.getValueAsString().split(',').first.getAsInteger(10, out);
  return out;
}

/// Reads "x,y,z"; what is left out is 1, and what is no number of a launch 0.
void takeExtents(std::array<std::uint32_t, 3>& to, const llvm::Function& kernel, const char* name) {
  const llvm::Attribute set = kernel.getFnAttribute(name);
  if (!set.isValid()) return;
  llvm::SmallVector<llvm::StringRef, 3> parts;
  set.getValueAsString().split(parts, ',');
  for (std::size_t i = 0; i < 3; ++i) {
    to[i] = i < parts.size() ? 0 : 1;
    if (i < parts.size() && parts[i].getAsInteger(10, to[i])) to[i] = 0;
  }
}

LaunchBounds boundsOf(const llvm::Function& kernel, const LaunchBounds& job) {
  LaunchBounds out = job;
  const auto take = [&](std::uint32_t& to, const char* name) {
    if (const std::uint32_t own = numberAttribute(kernel, name)) to = own;
  };
  take(out.maxItems, attribute::maxItems);
  take(out.minGroups, attribute::minGroups);
  take(out.maxRegisters, attribute::maxRegisters);
  takeExtents(out.groupSize, kernel, attribute::groupSize);
  return out;
}

ClusterBounds clusterOf(const llvm::Function& kernel) {
  ClusterBounds out;
  takeExtents(out.size, kernel, attribute::clusterSize);
  out.most = numberAttribute(kernel, attribute::maxCluster);
  out.countsClusters = kernel.hasFnAttribute(attribute::countsClusters);
  return out;
}

EntryPoint makeEntry(llvm::Function& kernel, const std::string* askedName, const Lowering& lowering) {
  EntryPoint out = entryOf(kernel);
  if (askedName) out.name = *askedName;
  out.symbol = kernel.getName().str();
  out.abi = lowering.entryAbi;
  out.section = kernel.getSection().str();
  out.bounds = boundsOf(kernel, lowering.job.options.launchBounds);
  out.cluster = clusterOf(kernel);
  kernel.setLinkage(llvm::GlobalValue::ExternalLinkage);
  kernel.setComdat(nullptr);
  return out;
}

/// Gives one exported function the C calling convention of every platform, which is alike for scalars and pointers
/// only: how aggregates travel in registers, the portable IR does not say. What cannot be exported is a diagnostic.
void exportFunction(llvm::Function& function, Lowering& lowering) {
  EntryPoint described = entryOf(function, lowering.descriptor.frontend == FrontEnd::native);
  ExportedFunction out{function.getName().str(), resultOf(function), std::move(described.parameters)};
  const auto refuse = [&](std::string what, const char* remedy) {
    lowering.diagnostics.push_back({.severity = Severity::error,
                                    .code = ErrorCode::Unsupported,
                                    .message = "exported function '" + out.name + "' " + std::move(what),
                                    .location = locationOf(function),
                                    .snippet = {},
                                    .notes = {},
                                    .hint = remedy});
  };
  constexpr const char* byPointer =
      "pass a pointer, or compile for a target with 'frontend: native', which knows its platform's rules";
  const std::size_t before = lowering.diagnostics.size();
  if (function.isVarArg()) refuse("takes a variable number of arguments", "give it a fixed list of parameters");
  if (lowering.descriptor.frontend == FrontEnd::device) {
    if (out.result.size != 0 && !passedByValue(out.result))
      refuse("returns '" + out.result.name + "' by value", byPointer);
    for (const Parameter& parameter : out.parameters) {
      if (!passedByValue(parameter.type))
        refuse("takes parameter '" + parameter.name + "' of type '" + parameter.type.name + "' by value", byPointer);
    }
    // Callers differ in how they extend narrow integers: rely on none.
    for (llvm::Argument& argument : function.args()) {
      argument.removeAttr(llvm::Attribute::ZExt);
      argument.removeAttr(llvm::Attribute::SExt);
    }
  }
  if (lowering.diagnostics.size() != before) return;  // nothing of it is emitted
  function.setLinkage(llvm::GlobalValue::ExternalLinkage);
  if (function.hasFnAttribute(attribute::hidden)) function.setVisibility(llvm::GlobalValue::HiddenVisibility);
  function.setComdat(nullptr);
  function.setCallingConv(llvm::CallingConv::C);
  lowering.interface.functions.push_back(std::move(out));
}

/// What an entry point is to the loader, by the first word of its section.
std::string kindOf(llvm::StringRef section, const Descriptor& descriptor) {
  if (section.empty() || descriptor.entryKinds.empty()) return {};
  const auto isLetter = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  const llvm::StringRef word = section.drop_until(isLetter).take_while(isLetter);
  for (const auto& [kind, words] : descriptor.entryKinds) {
    if (llvm::is_contained(words, word)) return kind == "as_named" ? word.str() : kind;
  }
  return "unknown";
}

/// Fills in the entries that the job asks for: all of the module if it names none.
llvm::Error findEntries(Lowering& lowering) {
  llvm::Module& module = *lowering.module;
  if (lowering.namedEntries.empty() || !lowering.namesAll) {
    for (llvm::Function& function : module) {
      if (function.isDeclaration() || !function.hasFnAttribute(attribute::kernel)) continue;
      if (function.hasFnAttribute(whenLaunched)) continue;
      const auto named = llvm::find_if(lowering.namedEntries, [&](const NamedEntry& one) {
        return one.symbol == std::string_view(function.getName());
      });
      const bool isNamed = named != lowering.namedEntries.end();
      lowering.info.entries.push_back(makeEntry(function, isNamed ? &named->name : nullptr, lowering));
    }
    lowering.namedEntries.clear();
  }
  for (const NamedEntry& named : lowering.namedEntries) {
    llvm::Function* const function = module.getFunction(named.symbol);
    if (!function || function->isDeclaration() || !function->hasFnAttribute(attribute::kernel)) {
      return toLlvm(
          {.code = ErrorCode::UnknownKernel,
           .message = "'" + named.name + "' is declared but not defined as a kernel in " + lowering.job.source.name,
           .stage = "select"});
    }
    lowering.info.entries.push_back(makeEntry(*function, &named.name, lowering));
  }
  std::vector<llvm::Function*> roots;
  for (const EntryPoint& entry : lowering.info.entries) roots.push_back(&lowering.functionOf(entry));
  for (llvm::Function* const function : launchedKernels(module, roots))
    lowering.info.entries.push_back(makeEntry(*function, nullptr, lowering));
  return llvm::Error::success();
}

/// Everything that the module is compiled for.
std::vector<const llvm::GlobalValue*> rootsOf(const Lowering& lowering) {
  std::vector<const llvm::GlobalValue*> out;
  for (const EntryPoint& entry : lowering.info.entries) out.push_back(lowering.module->getFunction(entry.symbol));
  for (const ExportedFunction& exported : lowering.interface.functions)
    out.push_back(lowering.module->getFunction(exported.name));
  return out;
}

llvm::Error nothingFound(const Lowering& lowering, const char* what, const char* hint) {
  return toLlvm({.code = ErrorCode::UnknownKernel,
                 .message = lowering.job.source.name + " defines no " + what,
                 .hint = hint,
                 .stage = "select"});
}

llvm::Error noKernels(Lowering& lowering) {
  if (!lowering.diagnostics.empty())
    return toLlvm(combined(std::move(lowering.diagnostics), "select", lowering.descriptor.name));
  // Named and yet not there: templates of which the source has no instance.
  if (!lowering.kernelNames.empty()) {
    return toLlvm({.code = ErrorCode::UnknownKernel,
                   .message = lowering.job.source.name + " has no instance of its kernel templates " +
                              fmt::format("{}", fmt::join(lowering.kernelNames, ", ")),
                   .hint = "name one, such as '" + lowering.kernelNames.front() + "<float>'",
                   .stage = "select"});
  }
  return nothingFound(lowering, "kernel",
                      "mark a function as a kernel; a template needs a name such as 'saxpy<float>'");
}

void dropDead(llvm::Module& module) {
  llvm::ModuleAnalysisManager analyses;
  llvm::PassBuilder().registerModuleAnalyses(analyses);
  llvm::GlobalDCEPass().run(module, analyses);
}

/// Gives every entry that is also called, or whose address is taken, an ordinary function with the same body, and lets
/// the callers use that: an entry point's convention and parameters are for launches alone. Where kernels launch
/// kernels, an address is the entry's.
///
///   before: define void @child(…) "lathe.kernel"    define void @parent(…) "lathe.kernel" { call void @child(…) }
///   after:  define void @child(…) "lathe.kernel"    define internal void @child.called(…)
///           define void @parent(…) "lathe.kernel" { call void @child.called(…) }
void separateCalledKernels(Lowering& lowering) {
  std::vector<std::pair<llvm::Function*, llvm::Function*>> separated;
  const bool launches = launchesKernels(*lowering.module);
  const auto isOther = [&](const llvm::Use& use) {
    const auto* const call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
    return !launches || (call && call->isCallee(&use));
  };
  for (const EntryPoint& entry : lowering.info.entries) {
    llvm::Function& kernel = lowering.functionOf(entry);
    if (llvm::none_of(kernel.uses(), isOther)) continue;
    llvm::ValueToValueMapTy values;
    llvm::Function* const called = llvm::CloneFunction(&kernel, values);
    called->setName(kernel.getName() + ".called");
    called->setLinkage(llvm::GlobalValue::InternalLinkage);
    called->setMetadata("lathe.entry", nullptr);
    called->removeFnAttr(attribute::kernel);  // without it nobody looks at the bounds
    separated.emplace_back(&kernel, called);
  }
  // Last, so that clones that call themselves or each other do so too.
  for (const auto& [kernel, called] : separated)
    kernel->replaceUsesWithIf(called, [&](const llvm::Use& use) { return isOther(use); });
}

/// Whether a variable keeps the value that the source gives it: one that kernels only read, on a target where no host
/// can write it. What has no value but zero was to be filled by a host.
bool keepsItsValue(const llvm::GlobalVariable& variable, const Descriptor& descriptor) {
  return !descriptor.hasHostVariables() && variable.hasAttribute(attribute::constant) && variable.hasInitializer() &&
         !variable.getInitializer()->isNullValue() && !llvm::isa<llvm::UndefValue>(variable.getInitializer());
}

/// Defines variables that are declared only, where the source's language takes that for a definition, and returns them.
/// The code of C programs is linked with what may define them.
///
///   before: @table = external global [4 x i32] "lathe.tentative"    after: @table = global [4 x i32] zeroinitializer
std::vector<llvm::GlobalVariable*> defineTentative(const Lowering& lowering) {
  std::vector<llvm::GlobalVariable*> out;
  if (lowering.descriptor.kernel.hostStubs) return out;
  for (llvm::GlobalVariable& variable : lowering.module->globals()) {
    if (!variable.isDeclaration() || !variable.hasAttribute(attribute::tentative)) continue;
    variable.setInitializer(llvm::Constant::getNullValue(variable.getValueType()));
    out.push_back(&variable);
  }
  return out;
}

/// Warns of definitions that no source wrote, and drops those that no entry point uses.
void reportTentative(Lowering& lowering, const std::vector<llvm::GlobalVariable*>& variables) {
  for (llvm::GlobalVariable* variable : variables) {
    variable->removeDeadConstantUsers();
    if (variable->use_empty()) {
      variable->eraseFromParent();
      continue;
    }
    lowering.warnings.push_back(
        {.severity = Severity::warning,
         .code = ErrorCode::UndefinedFunction,
         .message = "extern declaration of '" + demangled(variable->getName()) + "' is taken for its definition",
         .location = {},
         .snippet = {},
         .notes = {},
         .hint = "if another source defines it, give both sources in one compile"});
  }
}

/// Makes internal what no entry point is and the host cannot reach.
void internaliseRest(Lowering& lowering, const std::vector<const llvm::GlobalValue*>& roots) {
  llvm::Module& module = *lowering.module;
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
    const bool keepsValue = keepsItsValue(variable, lowering.descriptor);
    if (hostVisible && !variable.hasLocalLinkage() && !keepsValue) {
      variable.setLinkage(llvm::GlobalValue::ExternalLinkage);
      variable.setExternallyInitialized(true);  // the host may write it before a launch
      variable.setConstant(false);
    } else {
      variable.setLinkage(llvm::GlobalValue::InternalLinkage);
    }
    if (keepsValue) {
      variable.setExternallyInitialized(false);
      variable.setConstant(true);
      variable.setAttributes(variable.getAttributes().removeAttribute(variable.getContext(), attribute::constant));
    }
  }
}

/// Modules for a loader keep their linkage, but for two things. Entry points that a job did not ask for go. And what
/// C++ leaves to a linker to merge is settled here: it would stand in sections of its own, where a loader looks for
/// entry points.
void settle(llvm::Module& module, const std::vector<const llvm::GlobalValue*>& roots) {
  llvm::SmallPtrSet<const llvm::Constant*, 4> dropped;
  for (llvm::GlobalObject& object : module.global_objects()) {
    const auto* const function = llvm::dyn_cast<llvm::Function>(&object);
    if (object.isDeclaration() || llvm::is_contained(roots, &object)) continue;
    const bool unasked = function && function->hasFnAttribute(attribute::kernel);
    if (unasked) dropped.insert(&object);
    if (unasked || object.hasLinkOnceLinkage() || object.hasComdat()) {
      object.setLinkage(llvm::GlobalValue::InternalLinkage);
      object.setVisibility(llvm::GlobalValue::DefaultVisibility);
    }
    object.setComdat(nullptr);
  }
  llvm::removeFromUsedLists(module, [&](llvm::Constant* used) { return dropped.contains(used->stripPointerCasts()); });
}

/// Loaders show and look up entry points by their symbols, so a C++ function gets its own name where that is free.
void unmangle(llvm::Module& module, EntryPoint& entry) {
  llvm::Function& function = *module.getFunction(entry.symbol);
  const llvm::DISubprogram* const source = function.getSubprogram();
  if (!source || !function.getName().starts_with("_Z")) return;
  const llvm::StringRef name = source->getName();
  const bool isIdentifier = llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_'; });
  if (name.empty() || !isIdentifier || module.getNamedValue(name)) return;
  function.setName(name);
  entry.symbol = name.str();
}

}  // namespace

llvm::Error stage::findKernels(Lowering& lowering) {
  return findEntries(lowering);
}

llvm::Error stage::findSectionEntries(Lowering& lowering) {
  if (auto error = findEntries(lowering)) return error;
  const auto isForOthers = [](const llvm::GlobalObject& object) {
    return !object.isDeclaration() && object.hasExternalLinkage();
  };
  // An object may hold what others link.
  const bool isLinked = lowering.job.emit == "object" && llvm::any_of(lowering.module->global_objects(), isForOthers);
  if (lowering.info.entries.empty() && !isLinked)
    return nothingFound(lowering, "entry point", "give a function the section that its loader looks for");
  return llvm::Error::success();
}

llvm::Error stage::exportFunctions(Lowering& lowering) {
  for (llvm::Function& function : *lowering.module) {
    if (!function.isDeclaration() && function.hasFnAttribute(attribute::exported)) exportFunction(function, lowering);
  }
  return llvm::Error::success();
}

llvm::Error stage::internalise(Lowering& lowering) {
  if (lowering.info.entries.empty() && lowering.interface.functions.empty()) return noKernels(lowering);
  const std::vector<const llvm::GlobalValue*> roots = rootsOf(lowering);
  separateCalledKernels(lowering);
  const std::vector<llvm::GlobalVariable*> tentative = defineTentative(lowering);
  internaliseRest(lowering, roots);
  dropDead(*lowering.module);
  reportTentative(lowering, tentative);
  return llvm::Error::success();
}

llvm::Error stage::settleLinkage(Lowering& lowering) {
  settle(*lowering.module, rootsOf(lowering));
  for (EntryPoint& entry : lowering.info.entries) {
    unmangle(*lowering.module, entry);
    entry.kind = kindOf(entry.section, lowering.descriptor);
  }
  dropDead(*lowering.module);
  return llvm::Error::success();
}

}  // namespace lathe::detail
