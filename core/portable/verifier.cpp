// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The verifier of portable IR.
#include "core/portable/verifier.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

#include "core/abi/device_abi.h"
#include "core/abi/ir_types.h"
#include "core/descriptor/descriptor.h"
#include "core/portable/vocabulary.h"
#include "core/support/llvm_bridge.h"

namespace lathe::detail {
namespace {

class PortableVerifier {
 public:
  PortableVerifier(const llvm::Module& module, const Descriptor& descriptor)
      : module_(module), descriptor_(descriptor) {}

  std::vector<Diagnostic> run() {
    checkLayout();
    for (const llvm::GlobalVariable& variable : module_.globals()) check(variable);
    for (const llvm::Function& function : module_) check(function);
    return std::move(diagnostics_);
  }

 private:
  void report(std::string message, SourceLocation location, std::string hint, Severity severity = Severity::error) {
    diagnostics_.push_back({.severity = severity,
                            .code = ErrorCode::PortableRule,
                            .message = std::move(message),
                            .location = std::move(location),
                            .snippet = {},
                            .notes = {},
                            .hint = std::move(hint)});
  }

  void checkLayout() {
    const llvm::DataLayout& layout = module_.getDataLayout();
    if (descriptor_.frontend == FrontEnd::native) {
      // Any size of pointers and either order of bytes.
    } else if (const bool anyOrder = descriptor_.pipeline == PipelineKind::module;  // the code stays its machine's own
               (!layout.isLittleEndian() && !anyOrder) || layout.getPointerSizeInBits(0) != 64 ||
               layout.getAllocaAddrSpace() != 0) {
      report("the module's data layout '" + layout.getStringRepresentation() + "' is not portable", {},
             "compile it for a 64-bit little-endian target with allocas in address space 0");
    }
    if (!module_.getModuleInlineAsm().empty())
      report("the module has file-scope assembly", {}, "move it into a function of one target");
  }

  void check(const llvm::GlobalVariable& variable) {
    const std::string name = "variable '" + demangled(variable.getName()) + "'";
    if (variable.getName() == "llvm.global_ctors" || variable.getName() == "llvm.global_dtors") {
      for (const SourceLocation& at : constructorLocations(variable)) {
        report("a global variable needs a constructor or destructor call, which nothing runs on a device", at,
               "make the initial value constant (constexpr), or set it in a kernel");
      }
      return;
    }
    const unsigned space = variable.getAddressSpace();
    const bool isMachines = descriptor_.pipeline == PipelineKind::module;  // which may have spaces of its own
    if (space != 0 && space != portableGroupSpace && !isMachines) {
      report(name + " lives in address space " + std::to_string(space), locationOf(variable),
             "portable IR knows space 0 and, for group-shared variables, 3");
    }
    if (variable.isThreadLocal()) report(name + " is thread_local", locationOf(variable), "use a local variable");
  }

  /// Where what the constructors of `list` run was written: one place for each function they call, or nowhere.
  static std::vector<SourceLocation> constructorLocations(const llvm::GlobalVariable& list) {
    std::vector<SourceLocation> out;
    std::vector<const llvm::Function*> open;
    for (const llvm::Use& entry : list.getInitializer()->operands()) {
      const auto* record = llvm::dyn_cast<llvm::ConstantStruct>(entry);
      if (record && record->getNumOperands() > 1)
        open.push_back(llvm::dyn_cast<llvm::Function>(record->getOperand(1)->stripPointerCasts()));
    }
    while (!open.empty()) {
      const llvm::Function* const function = open.back();
      open.pop_back();
      if (!function || function->isDeclaration()) continue;
      // The file's own function has no lines: it calls one function for each variable.
      bool located = false;
      for (const llvm::Instruction& instruction : llvm::instructions(*function)) {
        const SourceLocation at = locationOf(instruction);
        if (located || at.line == 0) continue;
        out.push_back(at);
        located = true;
      }
      if (located) continue;
      for (const llvm::Instruction& instruction : llvm::instructions(*function)) {
        if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) open.push_back(call->getCalledFunction());
      }
    }
    if (out.empty()) out.emplace_back();
    return out;
  }

  /// An entry of the device ABI has one type everywhere: what a call passes is not converted.
  void checkEntry(const llvm::Function& function, const AbiEntry& entry) {
    if (!hasSignature(*function.getFunctionType(), entry.signature)) {
      report("'" + std::string(entry.symbol) + "' is declared with another type than the device ABI's",
             locationOf(function), "docs/device-abi.md lists the types of all entries");
    }
  }

  void check(const llvm::Function& function) {
    if (const AbiEntry* const entry =
            function.isDeclaration() ? findAbiEntry(std::string_view(function.getName())) : nullptr;
        entry && entry->symbol == std::string_view(function.getName()))
      checkEntry(function, *entry);
    const std::string name = "'" + demangled(function.getName()) + "'";
    if (function.hasFnAttribute(attribute::kernel)) {
      const bool launched = function.getFnAttribute(attribute::kernel).getValueAsString() != attribute::bySection;
      if (launched && !function.getReturnType()->isVoidTy())
        report("kernel " + name + " returns a value", locationOf(function), "write results through a pointer");
      if (function.isVarArg())
        report("kernel " + name + " takes a variable number of arguments", locationOf(function), "");
    }
    for (const llvm::Instruction& instruction : llvm::instructions(function)) check(function, instruction);
  }

  void check(const llvm::Function& function, const llvm::Instruction& instruction) {
    const auto in = [&] { return " in '" + demangled(function.getName()) + "'"; };
    if (const auto* slot = llvm::dyn_cast<llvm::AllocaInst>(&instruction); slot && slot->getAddressSpace() != 0) {
      report("an alloca in address space " + std::to_string(slot->getAddressSpace()) + in(), locationOf(instruction),
             "");
    }
    if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
      if (llvm::isa<llvm::InvokeInst>(call))
        report("exception handling" + in(), locationOf(instruction), "compile with -fno-exceptions");
      const llvm::Function* callee = call->getCalledFunction();
      if (callee && callee->getName().starts_with("__cxa_guard_")) {
        report("a static local variable with a run-time initialiser" + in(), locationOf(instruction),
               "make the initial value constant");
      }
    }
    checkWrite(instruction);
    const llvm::Type* const type = instruction.getType();
    if (descriptor_.frontend == FrontEnd::native) return;
    if (type->isX86_FP80Ty() || type->isPPC_FP128Ty()) {
      report("a value of type long double" + in(), locationOf(instruction), "use double");
    }
  }

  /// What is written to a variable that only the host sets is lost, as reads of it are taken for constants. Such an
  /// assignment to a whole number is an error, and others, which a program may never come to, are warned of (nvcc's
  /// rule).
  void checkWrite(const llvm::Instruction& instruction) {
    const llvm::Value* place = nullptr;
    const llvm::Type* written = nullptr;
    if (const auto* const store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
      place = store->getPointerOperand();
      written = store->getValueOperand()->getType();
    } else if (const auto* const copy = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction)) {
      place = copy->getRawDest();
    }
    if (!place) return;
    const auto* const variable = llvm::dyn_cast<llvm::GlobalVariable>(llvm::getUnderlyingObject(place));
    if (!variable || !variable->hasAttribute(attribute::constant)) return;
    const bool isWhole = place->stripPointerCasts() == variable && variable->getValueType() == written;
    report("'" + demangled(variable->getName()) + "' is written in '" +
               demangled(instruction.getFunction()->getName()) + "', and lives in memory that kernels only read" +
               (isWhole ? "" : ": the write is lost"),
           locationOf(instruction), "let the host set it, or keep it in global memory",
           isWhole ? Severity::error : Severity::warning);
  }

  const llvm::Module& module_;
  const Descriptor& descriptor_;
  std::vector<Diagnostic> diagnostics_;
};

}  // namespace

std::vector<Diagnostic> checkPortable(const llvm::Module& module, const Descriptor& descriptor) {
  return PortableVerifier(module, descriptor).run();
}

}  // namespace lathe::detail
