// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The verifier of portable IR.
#include "core/check/portable.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

#include "core/lower/lowering.h"
#include "core/support/llvm_bridge.h"

namespace lathe::detail {
namespace {

class PortableVerifier {
 public:
  PortableVerifier(const llvm::Module& module, bool plain) : module_(module), plain_(plain) {}

  std::vector<Diagnostic> run() {
    checkLayout();
    for (const llvm::GlobalVariable& variable : module_.globals()) check(variable);
    for (const llvm::Function& function : module_) check(function);
    return std::move(findings_);
  }

 private:
  void report(std::string message, SourceLocation location, std::string hint) {
    findings_.push_back({.severity = Severity::error,
                         .code = ErrorCode::PortableRule,
                         .message = std::move(message),
                         .location = std::move(location),
                         .snippet = {},
                         .notes = {},
                         .hint = std::move(hint)});
  }

  void checkLayout() {
    const llvm::DataLayout& layout = module_.getDataLayout();
    if (plain_) {
      // Any size of pointers and either order of bytes.
    } else if (!layout.isLittleEndian() || layout.getPointerSizeInBits(0) != 64 || layout.getAllocaAddrSpace() != 0) {
      report("the module's data layout '" + layout.getStringRepresentation() + "' is not portable", {},
             "compile it for a 64-bit little-endian target with allocas in address space 0");
    }
    if (!module_.getModuleInlineAsm().empty())
      report("the module has file-scope assembly", {}, "move it into a function of one target");
  }

  void check(const llvm::GlobalVariable& variable) {
    const std::string name = "variable '" + demangled(variable.getName()) + "'";
    if (variable.getName() == "llvm.global_ctors" || variable.getName() == "llvm.global_dtors") {
      report("a global variable needs a constructor or destructor call, which nothing runs on a device", {},
             "make the initial value constant (constexpr), or set it in a kernel");
      return;
    }
    const unsigned space = variable.getAddressSpace();
    if (space != 0 && space != portableGroupSpace) {
      report(name + " lives in address space " + std::to_string(space), {},
             "portable IR knows space 0 and, for group-shared variables, 3");
    }
    if (variable.isThreadLocal()) report(name + " is thread_local", {}, "use a local variable");
  }

  void check(const llvm::Function& function) {
    const std::string name = "'" + demangled(function.getName()) + "'";
    if (function.hasFnAttribute(attribute::kernel)) {
      if (!function.getReturnType()->isVoidTy())
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
    const llvm::Type* const type = instruction.getType();
    if (plain_) return;
    if (type->isX86_FP80Ty() || type->isPPC_FP128Ty()) {
      report("a value of type long double" + in(), locationOf(instruction), "use double");
    }
  }

  const llvm::Module& module_;
  bool plain_;
  std::vector<Diagnostic> findings_;
};

}  // namespace

llvm::Error checkPortable(const llvm::Module& module, bool plain) {
  std::vector<Diagnostic> findings = PortableVerifier(module, plain).run();
  if (findings.empty()) return llvm::Error::success();
  Error error{.code = ErrorCode::PortableRule,
              .message = findings.front().message,
              .hint = findings.front().hint,
              .stage = "import",
              .location = findings.front().location};
  if (findings.size() > 1) error.message += " (and " + std::to_string(findings.size() - 1) + " more)";
  error.diagnostics = std::move(findings);
  return toLlvm(std::move(error));
}

}  // namespace lathe::detail
