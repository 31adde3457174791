// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage validate: what is left after optimisation must be something the target can run. Everything found is
// reported at once, with call chains, before any back end sees it: several of them end the process on what they do not
// support.
#include <set>

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/CodeGen/TargetLowering.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/VFABIDemangler.h"

#include "core/abi/math.h"
#include "core/abi/runtime_abi.h"
#include "core/emit/text/text.h"
#include "core/lower/abi/assembly.h"
#include "core/lower/abi/device_abi.h"
#include "core/lower/device_libraries.h"
#include "core/lower/launched_kernels.h"
#include "core/lower/lowering.h"
#include "core/lower/math/math.h"
#include "core/lower/reachability.h"
#include "core/lower/stages.h"
#include "core/lower/stages/validation/instruction_types.h"
#include "core/lower/stages/validation/memory_limits.h"
#include "core/support/diagnostics.h"
#include "core/support/llvm_bridge.h"

namespace lathe::detail {
namespace {

/// A function of libm's, or the vector variant that the vectoriser took for it.
bool isMath(const llvm::Function& function) {
  if (findMath(std::string_view(function.getName()))) return true;
  const auto variant = llvm::VFABI::tryDemangleForVFABI(function.getName(), function.getFunctionType());
  return variant && findMath(variant->ScalarName);
}

class Validator {
 public:
  explicit Validator(Lowering& lowering)
      : lowering_(lowering), reached_(lowering), libmAllowed_(mathLibrary(lowering) == nullptr) {
    const DeviceLibrary* const library = mathLibrary(lowering);
    if (!library || !library->providedByBackend) return;
    for (const MathFunction& function : mathFunctions()) {
      for (const bool isDouble : {false, true}) backendMath_.insert(mathSymbol(*library, {&function, isDouble}));
    }
  }

  void run() {
    for (const llvm::Function* function : reached_.functions()) {
      for (const llvm::Instruction& instruction : llvm::instructions(*function)) {
        if (!lowering_.erroneousFunctions.empty()) lookForInlined(instruction);
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
    checkVariables(lowering_, reached_);
    checkImports(lowering_, reached_);
    checkSharedMemory(lowering_);
    checkStack(lowering_);
  }

 private:
  bool forbidden(const char* what) const { return llvm::is_contained(lowering_.descriptor.forbid, what); }
  std::string onTarget() const { return " on " + lowering_.descriptor.name + ":" + lowering_.arch; }

  void report(ErrorCode code, std::string message, const llvm::Instruction& at, std::string hint) {
    lowering_.diagnostics.push_back({.severity = Severity::error,
                                     .code = code,
                                     .message = std::move(message),
                                     .location = placeOf(at),
                                     .snippet = {},
                                     .notes = reached_.chainTo(at),
                                     .hint = std::move(hint)});
  }

  /// A call of a constant address, where those are how the loader's functions are called.
  bool isNumbered(const llvm::CallBase& call) const {
    const auto* const address = llvm::dyn_cast<llvm::ConstantExpr>(call.getCalledOperand());
    return lowering_.descriptor.callsByNumber && address && address->getOpcode() == llvm::Instruction::IntToPtr;
  }

  void check(const llvm::CallBase& call) {
    if (call.isInlineAsm()) {
      if (const auto found = assemblyFinding(call, lowering_))
        report(ErrorCode::Unsupported, found->message + (found->namesTarget ? onTarget() : ""), call, found->hint);
      return;
    }
    checkPassing(call);
    // One that is called as if it had another type, too.
    const auto* const callee = llvm::dyn_cast<llvm::Function>(call.getCalledOperand()->stripPointerCasts());
    if (!callee) {
      if (forbidden("varargs") && call.getFunctionType()->isVarArg()) {
        report(ErrorCode::Unsupported, "a call through a pointer with a variable number of arguments" + onTarget(),
               call, "call the function by its name");
        return;
      }
      if (forbidden("indirect_call") && !isNumbered(call)) {
        report(ErrorCode::Unsupported, "a call through a pointer" + onTarget(), call,
               "make the callee known at compile time: a template parameter or a switch");
      }
      return;
    }
    if (ErroneousFunction* const left = erroneousFunctionsOf(callee->getName())) {
      if (left->chain.empty()) left->chain = reached_.chainTo(call);
      if (callee->isDeclaration()) return;
    }
    if (callee->isIntrinsic()) checkIntrinsic(call, callee->getIntrinsicID());
    if (!callee->isDeclaration() || callee->isIntrinsic()) return;
    // What is imported checkImports() looks at.
    if (callee->hasFnAttribute(attribute::provided) || callee->hasFnAttribute(attribute::imported)) return;
    const std::string_view name(callee->getName());
    if (libmAllowed_ && isMath(*callee)) return;
    const bool inRecursion = name == runtimeEntry(RuntimeId::end_item).symbol && forbidden("recursion");
    if (inRecursion || backendMath_.contains(name) || lowering_.descriptor.hasExternal(name)) return;
    if (const AbiEntry* const entry = findAbiEntry(name)) {
      if (stateForm(entry->id) && lacksState()) {
        if (entry->id == AbiId::print) return reportLackOfState("printing", "somewhere to print to", call);
        if (isAllocation(*entry)) return reportLackOfState("allocating memory", "memory to take from", call);
        return reportLackOfState("an assertion", "somewhere to report to", call);
      }
      report(ErrorCode::Unsupported,
             std::string(entry->name) + " (" + std::string(entry->meaning) + ") does not exist" + onTarget() +
                 reasonFor(*entry),
             call, "keep the call from this target (lathe::target_is, or the preprocessor) and give it another way");
      nameTargetsWith(*entry);
      return;
    }
    if (callee->getName().starts_with("__lathe_") && !findRuntimeEntry(std::string_view(callee->getName()))) {
      report(ErrorCode::UndefinedFunction,
             "'" + callee->getName().str() + "' is called, which is no function of Lathe's ABI", call,
             "docs/device-abi.md lists the functions that kernels and device code of targets may call");
      return;
    }
    if (reportRunTimeSupport(call, callee->getName())) return;
    report(ErrorCode::UndefinedFunction, "'" + demangled(callee->getName()) + "' is called but nothing defines it",
           call, undefinedHint(lowering_.descriptor));
  }

  [[nodiscard]] bool lacksState() const {
    return lowering_.descriptor.kernel.state && lowering_.entryAbi == EntryAbi::bare;
  }
  void reportLackOfState(const char* what, const std::string& gives, const llvm::CallBase& call) {
    report(ErrorCode::Unsupported, what + std::string(" in a kernel with the entry ABI 'bare'") + onTarget(), call,
           "compile with the entry ABI 'state' (--entry-abi state), which gives the kernel " + gives);
  }

  /// ": " and why the descriptor says that the machine lacks the entry, if it does.
  std::string reasonFor(const AbiEntry& entry) const {
    const auto found = lowering_.descriptor.lacks.find(std::string(entry.name));
    return found == lowering_.descriptor.lacks.end() ? "" : ": " + found->second;
  }

  ErroneousFunction* erroneousFunctionsOf(llvm::StringRef symbol) const {
    const auto found =
        llvm::find_if(lowering_.erroneousFunctions, [&](const ErroneousFunction& one) { return one.symbol == symbol; });
    return found == lowering_.erroneousFunctions.end() ? nullptr : &*found;
  }

  /// Where a target inlines everything, calls of functions with errors are found by what became of them.
  void lookForInlined(const llvm::Instruction& instruction) {
    for (const llvm::DILocation* at = instruction.getDebugLoc().get(); at && at->getInlinedAt();
         at = at->getInlinedAt()) {
      const llvm::DISubprogram* const function = at->getScope()->getSubprogram();
      ErroneousFunction* const left = erroneousFunctionsOf(function->getLinkageName());
      if (!left || !left->chain.empty()) continue;
      std::vector<Note> chain = reached_.chainTo(instruction);
      const auto own =
          std::ranges::find(chain, "called from '" + demangled(function->getLinkageName()) + "'", &Note::message);
      const auto placed = [](const Note& note) { return note.location.line != 0; };
      if (own != chain.end() && std::all_of(own + 1, chain.end(), placed)) left->chain.assign(own + 1, chain.end());
    }
  }

  /// What Clang makes of parts of C++ that only a host's run-time library has; headers and dialects may let them pass.
  bool reportRunTimeSupport(const llvm::CallBase& call, llvm::StringRef callee) {
    if (callee == "__dynamic_cast" || callee == "__cxa_bad_typeid" || callee == "__cxa_bad_cast") {
      report(ErrorCode::Unsupported, "run-time type information" + onTarget(), call,
             "give the base class a virtual function that answers, or keep the kind in a member");
      return true;
    }
    if (callee == "__cxa_throw" || callee == "__cxa_rethrow") {
      report(ErrorCode::Unsupported, "an exception is thrown" + onTarget(), call,
             "return an error value, or end the kernel with a trap");
      return true;
    }
    // The same exception, before and after it is thrown.
    return callee.starts_with("__cxa_") && callee.contains("exception");
  }

  /// LLVM names what only some processors have after their family: "llvm.FAMILY.…".
  bool isOfOtherProcessors(const llvm::Function& intrinsic) const {
    llvm::StringRef name = intrinsic.getName();
    const llvm::StringRef own = llvm::Triple::getArchTypePrefix(lowering_.module->getTargetTriple().getArch());
    return intrinsic.isTargetIntrinsic() &&
           !(name.consume_front("llvm.") && name.consume_front(own) && name.starts_with("."));
  }

  void checkIntrinsic(const llvm::CallBase& call, llvm::Intrinsic::ID id) {
    if (isOfOtherProcessors(*call.getCalledFunction())) {
      report(ErrorCode::Unsupported,
             "'" + call.getCalledFunction()->getName().str() + "', which other processors have," + onTarget(), call,
             "guard it with lathe::target_is(…) or the preprocessor, and give this target another way");
      return;
    }
    const bool stops =
        id == llvm::Intrinsic::trap || id == llvm::Intrinsic::debugtrap || id == llvm::Intrinsic::ubsantrap;
    const bool counts = id == llvm::Intrinsic::readcyclecounter || id == llvm::Intrinsic::readsteadycounter;
    if (stops && forbidden("trap")) {
      if (lacksState()) return reportLackOfState("a trap", "somewhere to report to", call);
      report(ErrorCode::Unsupported, "a trap" + onTarget(), call, "return, and report the failure through memory");
      nameTargetsWith(abiEntry(AbiId::trap));
    }
    if (counts && forbidden("cycle_counter")) {
      report(ErrorCode::Unsupported, "a cycle counter" + onTarget(), call, "measure on the host");
      nameTargetsWith(abiEntry(AbiId::clock));
    }
  }

  /// Adds to the last finding where the entry is to be had.
  void nameTargetsWith(const AbiEntry& entry) {
    if (!lowering_.targetsWith) return;
    const std::vector<std::string> names = lowering_.targetsWith(entry);
    std::string text = names.empty() ? "no target has it" : "targets that have it:";
    for (const std::string& name : names) text += (&name == &names.front() ? " " : ", ") + name;
    lowering_.diagnostics.back().notes.push_back({std::move(text), {}, {}});
  }

  /// A function's address as a value, in an instruction or behind a constant it uses.
  void checkAddresses(const llvm::Instruction& instruction) {
    const auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    for (const llvm::Use& operand : instruction.operands()) {
      if (call && call->isCallee(&operand)) continue;
      const auto* const constant = llvm::dyn_cast<llvm::Constant>(operand.get());
      const llvm::Function* const function = constant ? functionIn(*constant) : nullptr;
      if (!function) continue;
      if (launches_ && function->hasFnAttribute(attribute::kernel)) continue;  // the launch is what is reported
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

  /// What a call that was not inlined can hand over.
  void checkPassing(const llvm::CallBase& call) {
    if (llvm::isa<llvm::IntrinsicInst>(call)) return;
    const llvm::Function* const callee = call.getCalledFunction();
    const std::string name = callee ? "'" + demangled(callee->getName()) + "'" : "a call";
    const std::uint64_t limit = lowering_.descriptor.limits.callArguments;
    if (limit != 0 && call.arg_size() > limit) {
      report(ErrorCode::Unsupported,
             name + " with " + std::to_string(call.arg_size()) + " arguments" + onTarget() + ", which passes at most " +
                 std::to_string(limit),
             call, "put them into a struct and pass its address, or let the function be inlined");
    }
    if (forbidden("aggregate_result") && (call.getType()->isAggregateType() || call.getType()->isIntegerTy(128))) {
      report(ErrorCode::Unsupported, name + " with a result of more than one register" + onTarget(), call,
             "return it through a pointer, or let the function be inlined");
    }
  }

  void checkTypes(const llvm::Instruction& instruction) {
    // The functions of a loader take callbacks: there an address is no call yet.
    if (forbidden("indirect_call") && !lowering_.descriptor.callsByNumber) checkAddresses(instruction);
    if (isIllegalInteger(instruction.getType()) && forbidden("illegal_integers") && !reportedWide_) {
      reportedWide_ = true;  // one operation is many instructions
      report(ErrorCode::Unsupported,
             std::to_string(instruction.getType()->getIntegerBitWidth()) + "-bit integers" + onTarget(), instruction,
             "use integers of 8, 16, 32 or 64 bits");
    }
    if (instruction.getType()->isFP128Ty() && forbidden("fp128")) {
      report(ErrorCode::Unsupported, "128-bit floating point" + onTarget(), instruction, "use double");
    }
    if (forbidden("bfloat") && touchesBfloat(instruction))
      report(ErrorCode::Unsupported, "bfloat16" + onTarget(), instruction, "keep it as an unsigned short, and convert");
    if (const llvm::Type* type = atomicType(instruction);
        type && type->isIntegerTy() && type->getIntegerBitWidth() < 32 && forbidden("partword_atomics")) {
      report(ErrorCode::Unsupported,
             "an atomic operation on " + std::to_string(type->getIntegerBitWidth()) + " bits" + onTarget(), instruction,
             "use the 32-bit word around it, with compare and exchange");
    }
    if (const llvm::Type* type = atomicType(instruction);
        type && type->isIntegerTy(128) && !hasWideAtomics(instruction))
      report(ErrorCode::Unsupported, "an atomic operation on 128 bits" + onTarget(), instruction,
             "choose a processor that has it, or use two words and a lock");
    if (const llvm::Value* address = changedAtomically(instruction)) {
      const AddressSpaces& spaces = lowering_.descriptor.addressSpaces;
      if (spaces.constant != spaces.global && address->getType()->getPointerAddressSpace() == spaces.constant)
        report(ErrorCode::Unsupported, "an atomic operation on constant memory", instruction,
               "let the host set the variable, or keep it in global memory");
    }
    if (isFloatArithmetic(instruction) && forbidden("float_arithmetic")) {
      report(ErrorCode::Unsupported, "floating-point arithmetic" + onTarget(), instruction,
             "compute with integers, scaled where a fraction is needed");
    }
    if (llvm::isa<llvm::IndirectBrInst>(instruction) && forbidden("computed_goto"))
      report(ErrorCode::Unsupported, "a goto to a computed label" + onTarget(), instruction, "write it as a switch");
    const unsigned opcode = instruction.getOpcode();
    if ((opcode == llvm::Instruction::SDiv || opcode == llvm::Instruction::SRem) && forbidden("signed_division"))
      report(ErrorCode::Unsupported, "division of signed integers" + onTarget(), instruction,
             "divide unsigned integers, or choose an architecture that has it");
    const auto* const slot = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
    if (slot && !slot->isStaticAlloca() && forbidden("alloca_dynamic")) {
      report(ErrorCode::Unsupported, "a local array of run-time size" + onTarget(), instruction,
             "give the array a constant size");
    }
  }

  /// A matter of the processor, which its features decide.
  bool hasWideAtomics(const llvm::Instruction& instruction) const {
    const llvm::TargetSubtargetInfo* const processor = lowering_.machine->getSubtargetImpl(*instruction.getFunction());
    return processor->getTargetLowering()->getMaxAtomicSizeInBitsSupported() >= 128;
  }

  Lowering& lowering_;
  Reachability reached_;
  bool libmAllowed_;
  bool launches_ = launchesKernels(*lowering_.module);
  bool reportedWide_ = false;
  llvm::SmallPtrSet<const llvm::Constant*, 16> askedForFunctions_;
  std::set<std::string, std::less<>> backendMath_;  ///< what a resident library calls its functions
};

}  // namespace

llvm::Error stage::validate(Lowering& lowering) {
  Validator(lowering).run();
  TargetContext context = lowering.targetContext();
  if (auto error = lowering.hooks.validate(context)) return error;
  // What a target whose code is text has no words for, beside what was found already: one report has both.
  if (!lowering.diagnostics.empty() && !lowering.descriptor.text.types.empty()) addMissingWords(lowering);
  forgetCallPlaces(*lowering.module);
  if (lowering.diagnostics.empty()) return llvm::Error::success();
  sortFindings(lowering.diagnostics);
  // One report has all of them where the compile ends here.
  const auto isError = [](const Diagnostic& finding) { return finding.severity == Severity::error; };
  if (llvm::none_of(lowering.diagnostics, isError)) {
    llvm::move(std::exchange(lowering.diagnostics, {}), std::back_inserter(lowering.warnings));
    return llvm::Error::success();
  }
  return toLlvm(combined(std::move(lowering.diagnostics), "validate", lowering.descriptor.name));
}

}  // namespace lathe::detail
