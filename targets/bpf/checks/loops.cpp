// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that the verifier cannot follow to their end: it goes through every iteration, and gives up after a million
// instructions.
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

#include "targets/bpf/checks/checks.h"

namespace lathe::targets::bpf {
namespace {

constexpr std::uint64_t mostInstructions = 1000000;  // BPF_COMPLEXITY_LIMIT_INSNS

/// Helpers whose results the verifier knows nothing of: times, random numbers, the task.
bool isUnbounded(unsigned helper) {
  constexpr unsigned all[] = {5, 7, 14, 15, 35, 125, 160};
  return llvm::is_contained(all, helper);
}

class LoopCheck {
 public:
  LoopCheck(const ProgramCode& code, llvm::Function& function, Findings& findings)
      : code_(code),
        findings_(findings),
        dominators_(function),
        loops_(dominators_),
        assumptions_(function),
        libraryTable_(function.getParent()->getTargetTriple()),
        library_(libraryTable_),
        evolution_(function, library_, assumptions_, dominators_, loops_) {}

  void run() {
    for (const llvm::Loop* const loop : loops_.getLoopsInPreorder()) {
      if (code_.certain.contains(loop->getHeader()) && !endsOtherwise(*loop)) look(*loop);
    }
  }

 private:
  /// Iterators of the kernel's end by themselves, and so does what `asm goto` leaves (may_goto).
  static bool endsOtherwise(const llvm::Loop& loop) {
    for (const llvm::BasicBlock* const block : loop.blocks()) {
      for (const llvm::Instruction& instruction : *block) {
        const auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        if (!call) continue;
        const llvm::Function* const callee = call->getCalledFunction();
        if (call->isInlineAsm() || (callee && callee->getName().starts_with("bpf_iter_"))) return true;
      }
    }
    return false;
  }

  /// The instructions that every iteration has, at least: what computes may vanish in addresses.
  std::uint64_t leastInstructions(const llvm::Loop& loop) const {
    std::uint64_t out = 0;
    llvm::SmallVector<llvm::BasicBlock*> latches;
    loop.getLoopLatches(latches);
    for (const llvm::BasicBlock* const block : loop.blocks()) {
      if (loops_.getLoopFor(block) != &loop) continue;
      const auto dominates = [&](const llvm::BasicBlock* latch) { return dominators_.dominates(block, latch); };
      if (!llvm::all_of(latches, dominates)) continue;
      for (const llvm::Instruction& instruction : *block) {
        const bool counts =
            instruction.mayReadOrWriteMemory() || (instruction.isTerminator() && instruction.getNumSuccessors() > 1);
        out += counts && !llvm::isa<llvm::IntrinsicInst>(instruction);
      }
    }
    return std::max<std::uint64_t>(out, 2);
  }

  void look(const llvm::Loop& loop) {
    llvm::SmallVector<llvm::BasicBlock*> exiting;
    loop.getExitingBlocks(exiting);
    if (exiting.empty()) {
      report(loop, "this loop has no end", "bound it: for (unsigned i = 0; i < LIMIT; ++i)");
      return;
    }
    const llvm::SCEV* const exact = evolution_.getBackedgeTakenCount(&loop);
    if (const auto* const count = llvm::dyn_cast<llvm::SCEVConstant>(exact)) {
      if (!isTooLong(*count, loop)) return;
      report(loop,
             "this loop has " + llvm::toString(count->getAPInt() + 1, 10, false) +
                 " iterations, and the verifier goes through " + std::to_string(mostInstructions) +
                 " instructions of a program at most",
             "lathe::bpf::loop (bpf_loop) calls a function so often, which is verified once");
      return;
    }
    const auto* const most = llvm::dyn_cast<llvm::SCEVConstant>(evolution_.getConstantMaxBackedgeTakenCount(&loop));
    if (most && !isTooLong(*most, loop)) return;
    if (!llvm::all_of(exiting, [&](const llvm::BasicBlock* block) { return dependsOnUnknown(*block, loop); })) return;
    report(loop, "the verifier sees no end of this loop: what ends it is known at run time only",
           "compare with a constant as well (i < count && i < LIMIT), or use lathe::bpf::loop or lathe::bpf::numbers");
  }

  bool isTooLong(const llvm::SCEVConstant& count, const llvm::Loop& loop) const {
    const llvm::APInt value = count.getAPInt();
    constexpr unsigned wordBits = 64;
    return value.getActiveBits() > wordBits - 1 || value.getZExtValue() > mostInstructions / leastInstructions(loop);
  }

  /// Whether the exit of `block` is decided by values that have no bounds for the verifier. Only sums and comparisons
  /// are followed: shifts, masks and divisions narrow what is known.
  bool dependsOnUnknown(const llvm::BasicBlock& block, const llvm::Loop& loop) {
    const auto* const branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    if (!branch || !branch->isConditional()) return false;
    bool unknown = false;
    llvm::SmallPtrSet<const llvm::Value*, 16> seen;
    llvm::SmallVector<const llvm::Value*> open{branch->getCondition()};
    while (!open.empty()) {
      const llvm::Value* const one = open.pop_back_val();
      if (llvm::isa<llvm::ConstantInt, llvm::ConstantPointerNull>(one) || !seen.insert(one).second) continue;
      if (llvm::isa<llvm::LoadInst>(one) || llvm::isa<llvm::CallBase>(one)) {
        if (!isUnknown(*llvm::cast<llvm::Instruction>(one), loop)) return false;
        unknown = true;
      } else if (const auto* const phi = llvm::dyn_cast<llvm::PHINode>(one)) {
        // A value that was chosen before, by ways that the verifier knows apart.
        if (!loop.contains(phi)) return false;
        open.append(phi->value_op_begin(), phi->value_op_end());
      } else if (isFollowed(*one)) {
        const auto& user = llvm::cast<llvm::Instruction>(*one);
        open.append(user.value_op_begin(), user.value_op_end());
      } else {
        return false;
      }
    }
    return unknown;
  }

  static bool isFollowed(const llvm::Value& value) {
    const auto* const instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    if (!instruction) return false;
    switch (instruction->getOpcode()) {
      case llvm::Instruction::Add:
      case llvm::Instruction::Sub:
      case llvm::Instruction::ICmp:
      case llvm::Instruction::ZExt:
      case llvm::Instruction::SExt:
        return true;
      case llvm::Instruction::And:
      case llvm::Instruction::Or:
      case llvm::Instruction::Select:
        return instruction->getType()->isIntegerTy(1);
      default:
        return false;
    }
  }

  bool isUnknown(const llvm::Instruction& value, const llvm::Loop& loop) const {
    if (const auto* const call = llvm::dyn_cast<llvm::CallBase>(&value)) {
      if (!isUnbounded(helperOf(*call))) return false;
    } else {
      const llvm::Value* base = llvm::cast<llvm::LoadInst>(value).getPointerOperand();
      base = base->stripInBoundsOffsets();
      if (const auto* const slot = llvm::dyn_cast<llvm::AllocaInst>(base)) {
        if (!isFilledByHelpers(*slot)) return false;
      } else if (llvm::isa<llvm::GlobalVariable>(base)) {
        return !knownAtLoad(base, *code_.entry) && !isBounded(value, loop);
      } else if (!llvm::isa<llvm::Argument>(base) && !llvm::isa<llvm::CallBase>(base)) {
        return false;
      }
      const auto* const argument = llvm::dyn_cast<llvm::Argument>(base);
      if (argument && argument->getParent() != code_.entry) return false;
    }
    return !isBounded(value, loop);
  }

  /// Memory of the program's own that helpers write, and no instruction.
  static bool isFilledByHelpers(const llvm::AllocaInst& slot) {
    bool filled = false;
    llvm::SmallVector<const llvm::Value*> open{&slot};
    while (!open.empty()) {
      for (const llvm::User* const user : open.pop_back_val()->users()) {
        const auto* const call = llvm::dyn_cast<llvm::CallBase>(user);
        if (call && helperOf(*call) != 0)
          filled = true;
        else if (llvm::isa<llvm::GetElementPtrInst>(user))
          open.push_back(user);
        else if (!llvm::isa<llvm::LoadInst>(user) && !(call && llvm::isa<llvm::IntrinsicInst>(call)))
          return false;
      }
    }
    return filled;
  }

  /// Whether the value is compared elsewhere too, which may give it bounds.
  static bool isBounded(const llvm::Value& value, const llvm::Loop& loop) {
    llvm::SmallPtrSet<const llvm::Value*, 8> seen;
    llvm::SmallVector<const llvm::Value*> open{&value};
    while (!open.empty()) {
      const llvm::Value* const one = open.pop_back_val();
      if (!seen.insert(one).second) continue;
      for (const llvm::User* const user : one->users()) {
        const auto* const instruction = llvm::dyn_cast<llvm::Instruction>(user);
        if (const auto* const compare = llvm::dyn_cast<llvm::ICmpInst>(user)) {
          const auto* const other = llvm::dyn_cast<llvm::Constant>(compare->getOperand(1));
          const bool isNull = compare->isEquality() && other && other->isNullValue();
          if (!isNull && !loop.contains(compare)) return true;
        } else if (instruction && (llvm::isa<llvm::CastInst>(user) || instruction->isBinaryOp())) {
          open.push_back(user);
        }
        if (const auto* const call = llvm::dyn_cast<llvm::IntrinsicInst>(user))
          if (call->getType()->isIntegerTy()) return true;  // a minimum
      }
    }
    return false;
  }

  void report(const llvm::Loop& loop, std::string message, std::string hint) {
    // The branch has the loop's own line; what is in front of it may come from elsewhere.
    const llvm::Instruction* at = loop.getHeader()->getTerminator();
    if (const llvm::BasicBlock* const latch = loop.getLoopLatch(); latch && latch->getTerminator()->getDebugLoc())
      at = latch->getTerminator();
    findings_.add("loop", *at, *code_.entry, std::move(message), std::move(hint));
  }

  const ProgramCode& code_;
  Findings& findings_;
  llvm::DominatorTree dominators_;
  llvm::LoopInfo loops_;
  llvm::AssumptionCache assumptions_;
  llvm::TargetLibraryInfoImpl libraryTable_;
  llvm::TargetLibraryInfo library_;
  llvm::ScalarEvolution evolution_;
};

}  // namespace

void checkLoops(const ProgramCode& code, Findings& findings) {
  if (findings.level("loop") <= 0) return;
  for (llvm::Function* const function : code.functions) LoopCheck(code, *function, findings).run();
}

}  // namespace lathe::targets::bpf
