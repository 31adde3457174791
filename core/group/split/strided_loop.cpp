// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recognises the loop by its guard, its last comparison and its counters.
#include "core/group/split/strided_loop.h"

#include <utility>

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"

#include "core/group/analysis/device_calls.h"
#include "core/group/analysis/uniformity.h"
#include "core/group/entry/group_function.h"
#include "core/group/split/barrier_splits.h"

namespace lathe::detail {
namespace {

class XPlusFinder {
 public:
  XPlusFinder(const GroupFunction& group, const GroupUniformity& uniformity) : group_(group), uniformity_(uniformity) {}

  std::optional<XPlus> find(llvm::Value& value) const {
    XPlus out;
    if (!add(value, std::nullopt, out)) return std::nullopt;
    return out;
  }

 private:
  bool add(llvm::Value& value, std::optional<llvm::Instruction::CastOps> extension, XPlus& out) const {
    auto* const instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    if (!instruction) return false;
    if (itemIdAxisOf(*instruction) == 0U) {
      out.id = instruction;
      return true;
    }
    if (llvm::isa<llvm::SExtInst, llvm::ZExtInst>(instruction) && !extension)
      return add(*instruction->getOperand(0), llvm::cast<llvm::CastInst>(instruction)->getOpcode(), out);
    if (instruction->getOpcode() != llvm::Instruction::Add) return false;
    for (const unsigned i : {0U, 1U}) {
      llvm::Value& rest = *instruction->getOperand(1 - i);
      llvm::Value& side = *instruction->getOperand(i);
      if (!uniformity_.isUniform(rest) || !add(side, extension, out)) continue;
      out.terms.push_back({&rest, extension});
      out.mayWrap |= !commutes(*instruction, extension, rest, side);
      return true;
    }
    return false;
  }

  /// Whether the extension of the sum is the sum of the extensions.
  bool commutes(const llvm::Instruction& sum, std::optional<llvm::Instruction::CastOps> extension,
                const llvm::Value& rest, const llvm::Value& side) const {
    if (!extension) return true;
    const auto* const id = llvm::dyn_cast<llvm::Instruction>(&side);
    if (&rest == group_.firstItem[0] && id && itemIdAxisOf(*id)) return true;  // see maxItems
    return *extension == llvm::Instruction::SExt ? sum.hasNoSignedWrap() : sum.hasNoUnsignedWrap();
  }

  const GroupFunction& group_;
  const GroupUniformity& uniformity_;
};

/// Decides which loops to rewrite.
class LoopReader {
 public:
  LoopReader(const GroupFunction& group, llvm::ArrayRef<SplitPoint> splits, const GroupUniformity& uniformity)
      : shared_(*group.shared), splits_(splits), uniformity_(uniformity), finder_(group, uniformity) {}

  std::optional<StridedLoop> read(llvm::Loop& loop) const {
    StridedLoop out{};
    out.loop = &loop;
    out.guard = guardOf(loop);
    const llvm::BasicBlock* const latch = loop.getLoopLatch();
    llvm::BasicBlock* const exit = loop.getExitBlock();
    if (!out.guard || !exit || !loop.isInnermost() || loop.getExitingBlock() != latch) return std::nullopt;
    if (!uniformity_.branchDiverges(*latch) || !suitsItemLoop(loop, splits_, uniformity_, shared_)) return std::nullopt;
    out.done = exit->getSingleSuccessor();
    if (!out.done) return std::nullopt;
    llvm::BasicBlock* const away =
        out.guard->getSuccessor(out.guard->getSuccessor(0) == loop.getLoopPreheader() ? 1 : 0);
    if (away != out.done) {
      const bool isPassed = away->getSinglePredecessor() && away->getSingleSuccessor() == out.done;
      if (!isPassed || !canHoist(*away)) return std::nullopt;
      out.away = away;
    }
    if (!readEnd(out) || !readCounters(out) || !canHoist(*loop.getLoopPreheader())) return std::nullopt;
    return out;
  }

 private:
  /// The branch whose other way does not enter the loop. LLVM's Loop::getLoopGuardBranch wants nothing on that way.
  static llvm::BranchInst* guardOf(const llvm::Loop& loop) {
    llvm::BasicBlock* const preheader = loop.isLoopSimplifyForm() ? loop.getLoopPreheader() : nullptr;
    llvm::BasicBlock* const before = preheader ? preheader->getSinglePredecessor() : nullptr;
    auto* const branch = before ? llvm::dyn_cast<llvm::BranchInst>(before->getTerminator()) : nullptr;
    return branch && branch->isConditional() ? branch : nullptr;
  }

  /// The loop's condition and the guard's: the same comparison, of the counter's next and its first value.
  bool readEnd(StridedLoop& out) const {
    auto* const branch = llvm::cast<llvm::BranchInst>(out.loop->getLoopLatch()->getTerminator());
    llvm::CmpInst::Predicate predicate{}, guardPredicate{};
    llvm::Value *next = nullptr, *first = nullptr, *guardBound = nullptr;
    if (!readLess(*branch, out.loop->getHeader(), next, out.bound, predicate)) return false;
    if (!readLess(*out.guard, out.loop->getLoopPreheader(), first, guardBound, guardPredicate)) return false;
    const bool isSigned = predicate == llvm::CmpInst::ICMP_SLT;
    extendInFrontOfGuard(*out.loop->getLoopPreheader(), isSigned);
    readLess(*branch, out.loop->getHeader(), next, out.bound, predicate);
    if (predicate != guardPredicate || !isExtended(guardBound, out.bound, isSigned)) return false;
    if (!uniformity_.isUniform(*out.bound) || !out.loop->isLoopInvariant(out.bound)) return false;
    out.isSigned = isSigned;
    for (llvm::PHINode& phi : out.loop->getHeader()->phis()) {
      if (phi.getIncomingValueForBlock(out.loop->getLoopLatch()) != next) continue;
      if (!isExtended(first, phi.getIncomingValueForBlock(out.loop->getLoopPreheader()), isSigned)) continue;
      std::optional<Counter> counter = readCounter(phi, *out.loop);
      if (counter) out.counters.push_back(std::move(*counter));
      return counter.has_value();
    }
    return false;
  }

  /// Whether `wide` is `value` or its extension, which comparisons of that signedness do not see.
  static bool isExtended(const llvm::Value* value, const llvm::Value* wide, bool isSigned) {
    if (value == wide) return true;
    if (const auto* const narrow = llvm::dyn_cast<llvm::ConstantInt>(value)) {
      const auto* const constant = llvm::dyn_cast<llvm::ConstantInt>(wide);
      return constant && constant->getBitWidth() >= narrow->getBitWidth() &&
             constant->getValue() == (isSigned ? narrow->getValue().sext(constant->getBitWidth())
                                               : narrow->getValue().zext(constant->getBitWidth()));
    }
    const auto* const cast = llvm::dyn_cast<llvm::CastInst>(wide);
    if (!cast || cast->getOperand(0) != value) return false;
    return cast->getOpcode() == (isSigned ? llvm::Instruction::SExt : llvm::Instruction::ZExt);
  }

  /// Behind the guard a value may be known not to be negative, so that both extensions are the same; in front of it
  /// not.
  static void extendInFrontOfGuard(llvm::BasicBlock& preheader, bool isSigned) {
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(preheader)) {
      if (!llvm::isa<llvm::ZExtInst>(instruction) || !instruction.hasNonNeg()) continue;
      instruction.setNonNeg(false);
      if (!isSigned) continue;
      llvm::IRBuilder<> builder(&instruction);
      instruction.replaceAllUsesWith(builder.CreateSExt(instruction.getOperand(0), instruction.getType()));
      instruction.eraseFromParent();
    }
  }

  /// `branch` goes to `target` if left < right.
  static bool readLess(const llvm::BranchInst& branch, const llvm::BasicBlock* target, llvm::Value*& left,
                       llvm::Value*& right, llvm::CmpInst::Predicate& predicate) {
    const auto* const compare =
        branch.isConditional() ? llvm::dyn_cast<llvm::ICmpInst>(branch.getCondition()) : nullptr;
    if (!compare || !compare->getOperand(0)->getType()->isIntegerTy()) return false;
    predicate = branch.getSuccessor(0) == target ? compare->getPredicate() : compare->getInversePredicate();
    left = compare->getOperand(0);
    right = compare->getOperand(1);
    if (predicate == llvm::CmpInst::ICMP_UGT || predicate == llvm::CmpInst::ICMP_SGT) {
      std::swap(left, right);
      predicate = llvm::CmpInst::getSwappedPredicate(predicate);
    }
    return predicate == llvm::CmpInst::ICMP_ULT || predicate == llvm::CmpInst::ICMP_SLT;
  }

  std::optional<Counter> readCounter(llvm::PHINode& phi, llvm::Loop& loop) const {
    const auto* const next = llvm::dyn_cast<llvm::BinaryOperator>(phi.getIncomingValueForBlock(loop.getLoopLatch()));
    if (!next || next->getOpcode() != llvm::Instruction::Add) return std::nullopt;
    const unsigned self = next->getOperand(0) == &phi ? 0 : 1;
    llvm::Value* const step = next->getOperand(1 - self);
    if (next->getOperand(self) != &phi || !uniformity_.isUniform(*step)) return std::nullopt;
    std::optional<XPlus> first = finder_.find(*phi.getIncomingValueForBlock(loop.getLoopPreheader()));
    bool changed = false;
    if (!first || !loop.makeLoopInvariant(step, changed, loop.getLoopPreheader()->getTerminator())) return std::nullopt;
    return Counter{&phi, std::move(*first), step};
  }

  bool readCounters(StridedLoop& out) const {
    for (llvm::PHINode& phi : out.loop->getHeader()->phis()) {
      if (&phi == out.counters.front().phi) continue;
      std::optional<Counter> counter;
      if (phi.getType()->isIntegerTy()) counter = readCounter(phi, *out.loop);
      if (counter) {
        out.counters.push_back(std::move(*counter));
      } else {
        out.carried.push_back(&phi);
      }
    }
    return true;
  }

  static bool canHoist(const llvm::BasicBlock& preheader) {
    return llvm::all_of(preheader, [](const llvm::Instruction& instruction) {
      return instruction.isTerminator() ||
             (llvm::isSafeToSpeculativelyExecute(&instruction) && !instruction.mayReadOrWriteMemory());
    });
  }

  const llvm::Value& shared_;
  llvm::ArrayRef<SplitPoint> splits_;
  const GroupUniformity& uniformity_;
  XPlusFinder finder_;
};

}  // namespace

std::optional<StridedLoop> readStridedLoop(llvm::Loop& loop, const GroupFunction& group,
                                           llvm::ArrayRef<SplitPoint> splits, const GroupUniformity& uniformity) {
  return LoopReader(group, splits, uniformity).read(loop);
}

}  // namespace lathe::detail
