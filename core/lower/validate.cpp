// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage 12, validate: what is left after optimisation must be something the target can run. Everything found is
// reported at once, with call chains, before any back end sees it: several of them end the process on what they do not
// support.
#include <set>

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/VFABIDemangler.h"

#include "core/abi/device_abi.h"
#include "core/abi/math.h"
#include "core/check/reachability.h"
#include "core/lower/libraries.h"
#include "core/lower/lowering.h"
#include "core/support/llvm_bridge.h"

namespace lathe::detail {
namespace {

/// A function of libm's, or the vector variant that the vectoriser took for it.
bool isMath(const llvm::Function& function) {
  if (findMath(std::string_view(function.getName()))) return true;
  const auto variant = llvm::VFABI::tryDemangleForVFABI(function.getName(), function.getFunctionType());
  return variant && findMath(variant->ScalarName);
}

/// Of a width that only software has.
bool isOddInteger(const llvm::Type* type) {
  if (!type->isIntegerTy()) return false;
  const unsigned width = type->getIntegerBitWidth();
  return width != 1 && width != 8 && width != 16 && width != 32 && width != 64;
}

class Validator {
 public:
  explicit Validator(Lowering& lowering)
      : lowering_(lowering), reached_(lowering), libmAllowed_(mathLibrary(lowering) == nullptr) {
    const DeviceLibrary* const library = mathLibrary(lowering);
    if (!library || !library->resident) return;
    for (const MathFunction& function : mathFunctions()) {
      for (const bool isDouble : {false, true}) residentMath_.insert(mathSymbol(*library, {&function, isDouble}));
    }
  }

  void run() {
    for (const llvm::Function* function : reached_.functions()) {
      checkFunction(*function);
      for (const llvm::Instruction& instruction : llvm::instructions(*function)) {
        if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) check(*call);
        checkTypes(instruction);
      }
    }
    if (forbidden("recursion")) {
      for (const llvm::CallBase* call : reached_.recursiveCalls()) {
        report(ErrorCode::Unsupported,
               "'" + demangled(call->getCalledFunction()->getName()) + "' calls itself, directly or not", *call,
               "write it as a loop, or keep a stack of your own in an array");
      }
    }
    checkShared();
  }

 private:
  bool forbidden(const char* what) const { return llvm::is_contained(lowering_.descriptor.forbid, what); }
  std::string onTarget() const { return " on " + lowering_.descriptor.name + ":" + lowering_.arch; }

  void report(ErrorCode code, std::string message, const llvm::Instruction& at, std::string hint) {
    lowering_.findings.push_back({.severity = Severity::error,
                                  .code = code,
                                  .message = std::move(message),
                                  .location = locationOf(at),
                                  .snippet = {},
                                  .notes = reached_.chainTo(at),
                                  .hint = std::move(hint)});
  }

  void check(const llvm::CallBase& call) {
    if (call.isInlineAsm()) {
      if (forbidden("inline_asm"))
        report(ErrorCode::Unsupported, "inline assembly" + onTarget(), call, "guard it with lathe::target_is(…)");
      return;
    }
    const llvm::Function* const callee = call.getCalledFunction();
    if (!callee) {
      if (forbidden("indirect_call")) {
        report(ErrorCode::Unsupported, "a call through a pointer" + onTarget(), call,
               "make the callee known at compile time: a template parameter or a switch");
      }
      return;
    }
    if (callee->isIntrinsic()) checkIntrinsic(call, callee->getIntrinsicID());
    if (!callee->isDeclaration() || callee->isIntrinsic()) return;
    if (libmAllowed_ && isMath(*callee)) return;
    if (residentMath_.contains(std::string_view(callee->getName()))) return;
    if (llvm::is_contained(lowering_.descriptor.externals, callee->getName())) return;
    if (const AbiEntry* const entry = findAbiEntry(std::string_view(callee->getName()))) {
      report(ErrorCode::Unsupported,
             std::string(entry->name) + " (" + std::string(entry->meaning) + ") does not exist" + onTarget(), call,
             "keep the call from this target (lathe::target_is, or the preprocessor) and give it another way");
      return;
    }
    report(ErrorCode::UndefinedFunction, "'" + demangled(callee->getName()) + "' is called but nothing defines it",
           call, "define it in the source; code for the host cannot be called from a kernel");
  }

  void checkIntrinsic(const llvm::CallBase& call, llvm::Intrinsic::ID id) {
    const bool stops =
        id == llvm::Intrinsic::trap || id == llvm::Intrinsic::debugtrap || id == llvm::Intrinsic::ubsantrap;
    const bool counts = id == llvm::Intrinsic::readcyclecounter || id == llvm::Intrinsic::readsteadycounter;
    if (stops && forbidden("trap"))
      report(ErrorCode::Unsupported, "a trap" + onTarget(), call, "return, and report the failure through memory");
    if (counts && forbidden("cycle_counter"))
      report(ErrorCode::Unsupported, "a cycle counter" + onTarget(), call, "measure on the host");
  }

  /// What an atomic instruction reads or writes.
  static const llvm::Type* atomicType(const llvm::Instruction& instruction) {
    if (!instruction.isAtomic() || llvm::isa<llvm::FenceInst>(instruction)) return nullptr;
    if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
      return exchange->getCompareOperand()->getType();
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) return store->getValueOperand()->getType();
    return instruction.getType();
  }

  void checkFunction(const llvm::Function& function) {
    if (function.isDeclaration() || !function.isVarArg() || !forbidden("varargs")) return;
    report(ErrorCode::Unsupported,
           "'" + demangled(function.getName()) + "' takes a variable number of arguments" + onTarget(),
           function.front().front(), "make it a template of its arguments");
  }

  /// A function's address as a value, in an instruction or behind a constant it uses.
  void checkAddresses(const llvm::Instruction& instruction) {
    const auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    for (const llvm::Use& operand : instruction.operands()) {
      if (call && call->isCallee(&operand)) continue;
      const auto* const constant = llvm::dyn_cast<llvm::Constant>(operand.get());
      const llvm::Function* const function = constant ? functionIn(*constant) : nullptr;
      if (!function) continue;
      report(ErrorCode::Unsupported, "the address of '" + demangled(function->getName()) + "'" + onTarget(),
             instruction, "make the callee known at compile time: a template parameter or a switch");
      return;
    }
  }
  /// Each constant is asked once: its first user is reported.
  const llvm::Function* functionIn(const llvm::Constant& constant) {
    if (const auto* function = llvm::dyn_cast<llvm::Function>(&constant)) return function;
    if (llvm::isa<llvm::ConstantData>(constant) || !askedForFunctions_.insert(&constant).second) return nullptr;
    for (const llvm::Use& operand : constant.operands()) {
      const auto* const inner = llvm::dyn_cast<llvm::Constant>(operand.get());
      if (const llvm::Function* const found = inner ? functionIn(*inner) : nullptr) return found;
    }
    return nullptr;
  }

  void checkTypes(const llvm::Instruction& instruction) {
    if (forbidden("indirect_call")) checkAddresses(instruction);
    if (isOddInteger(instruction.getType()) && forbidden("odd_integers") && !reportedWide_) {
      reportedWide_ = true;  // one operation is many instructions
      report(ErrorCode::Unsupported,
             std::to_string(instruction.getType()->getIntegerBitWidth()) + "-bit integers" + onTarget(), instruction,
             "use integers of 8, 16, 32 or 64 bits");
    }
    if (instruction.getType()->isFP128Ty() && forbidden("fp128")) {
      report(ErrorCode::Unsupported, "128-bit floating point" + onTarget(), instruction, "use double");
    }
    if (instruction.getType()->getScalarType()->isBFloatTy() && forbidden("bfloat"))
      report(ErrorCode::Unsupported, "bfloat16" + onTarget(), instruction, "keep it as an unsigned short, and convert");
    if (const llvm::Type* type = atomicType(instruction);
        type && type->isIntegerTy() && type->getIntegerBitWidth() < 32 && forbidden("small_atomics")) {
      report(ErrorCode::Unsupported,
             "an atomic operation on " + std::to_string(type->getIntegerBitWidth()) + " bits" + onTarget(), instruction,
             "use the 32-bit word around it, with compare and exchange");
    }
    const auto* const slot = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
    if (slot && !slot->isStaticAlloca() && forbidden("alloca_dynamic")) {
      report(ErrorCode::Unsupported, "a local array of run-time size" + onTarget(), instruction,
             "give the array a constant size");
    }
  }

  /// Static group-shared memory, where the target knows its limit.
  void checkShared() {
    const std::uint64_t limit = lowering_.descriptor.limits.sharedBytes;
    if (limit == 0 || !lowering_.descriptor.items) return;
    std::uint64_t total = 0;
    Diagnostic finding{
        .severity = Severity::error,
        .code = ErrorCode::ResourceLimit,
        .message = {},
        .location = {},
        .snippet = {},
        .notes = {},
        .hint = "use smaller tiles, or launch-sized shared memory, whose limit is higher on some targets"};
    for (const llvm::GlobalVariable& variable : lowering_.module->globals()) {
      if (variable.getAddressSpace() != lowering_.descriptor.addressSpaces.group || variable.isDeclaration()) continue;
      const std::uint64_t bytes =
          lowering_.module->getDataLayout().getTypeAllocSize(variable.getValueType()).getFixedValue();
      total += bytes;
      finding.notes.push_back(
          {"'" + demangled(variable.getName()) + "' takes " + std::to_string(bytes) + " bytes", {}, {}});
    }
    if (total <= limit) return;
    finding.message = "group-shared variables take " + std::to_string(total) + " bytes, " + lowering_.descriptor.name +
                      ":" + lowering_.arch + " has " + std::to_string(limit) + " for them";
    lowering_.findings.push_back(std::move(finding));
  }

  Lowering& lowering_;
  Reachability reached_;
  bool libmAllowed_;
  bool reportedWide_ = false;
  llvm::SmallPtrSet<const llvm::Constant*, 16> askedForFunctions_;
  std::set<std::string, std::less<>> residentMath_;  ///< what a resident library calls its functions
};

}  // namespace

llvm::Error stage::validate(Lowering& lowering) {
  Validator(lowering).run();
  TargetContext context = lowering.targetContext();
  if (auto error = lowering.hooks.validate(context)) return error;
  if (lowering.findings.empty()) return llvm::Error::success();
  const Diagnostic& first = lowering.findings.front();
  Error error{.code = first.code,
              .message = first.message,
              .notes = first.notes,
              .hint = first.hint,
              .stage = "validate",
              .target = lowering.descriptor.name,
              .location = first.location};
  if (lowering.findings.size() > 1) error.message += " (and " + std::to_string(lowering.findings.size() - 1) + " more)";
  error.diagnostics = lowering.findings;
  return toLlvm(std::move(error));
}

}  // namespace lathe::detail
