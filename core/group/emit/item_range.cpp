// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A condition is a conjunction of terms. A term that does not depend on x is computed before the loop along x; a term
// that compares x + s with b, where neither s nor b depends on x, is a bound of x in 64 bits. Terms that come later in
// a short-circuit may be poison where an earlier one fails: they are frozen, since the range is then empty anyway.
#include "core/group/emit/item_range.h"

#include <utility>

#include "llvm/IR/Argument.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

#include "core/group/analysis/device_calls.h"
#include "core/group/analysis/live_across_barriers.h"
#include "core/group/analysis/regions.h"
#include "core/group/entry/group_function.h"

namespace lathe::detail {
namespace {

/// Deepest expression, in instructions, that is looked through or computed again.
constexpr unsigned maxDepth = 8;

/// From `block` an item goes straight to its continuation, without effect.
bool isIdle(const RegionGraph& graph, const llvm::BasicBlock* block) {
  for (unsigned steps = 0; block && steps < maxDepth; ++steps) {
    if (hasEffects(*block)) return false;
    if (graph.continuationOf(*block)) return true;
    block = block->getSingleSuccessor();
  }
  return false;
}

/// Values the region leaves behind for others, which therefore need every item to run.
bool keepsValues(const LiveAcrossBarriers& live, const Region& region) {
  return llvm::any_of(region.next, [&](unsigned next) {
    return next != 0 && llvm::any_of(live.liveInto(next), [&](const llvm::Instruction* value) {
             return live.of(*value) != LiveRange::recomputed &&
                    region.blocks.contains(const_cast<llvm::BasicBlock*>(value->getParent()));
           });
  });
}

/// Arithmetic that has no effect and may be computed where it was not asked for.
bool isPlain(const llvm::Instruction& instruction) {
  if (instruction.isIntDivRem()) return false;
  return llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::CmpInst, llvm::SelectInst>(instruction);
}

/// Known to be a number that an item id can be added to without wrapping: group sizes and first items are.
bool isSmall(const llvm::Value& value) {
  const auto* const argument = llvm::dyn_cast<llvm::Argument>(&value);
  const std::optional<llvm::ConstantRange> range = argument ? argument->getRange() : std::nullopt;
  return range && range->isAllNonNegative() && range->getSignedMax().sle(maxItems);
}

}  // namespace

std::vector<Guard> findGuards(const RegionGraph& graph, const LiveAcrossBarriers& live, unsigned number) {
  const Region& region = graph.regions()[number];
  std::vector<Guard> guards;
  if (region.next.size() != 1 || keepsValues(live, region)) return guards;
  const llvm::BasicBlock* block = region.entry;
  for (unsigned steps = 0; block && steps < 2 * maxDepth; ++steps) {
    if (hasEffects(*block) || graph.continuationOf(*block)) break;
    const auto* const branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
    if (!branch) break;
    if (branch->isUnconditional()) {
      block = branch->getSuccessor(0);
      continue;
    }
    const bool first = isIdle(graph, branch->getSuccessor(0));
    if (first == isIdle(graph, branch->getSuccessor(1))) break;
    guards.push_back({branch, first ? 1U : 0U});
    block = branch->getSuccessor(first ? 1 : 0);
    if (!block->getSinglePredecessor()) break;  // a loop's head: what follows runs more than once
  }
  return guards;
}

ItemRange::ItemRange(const ItemLoop& loop, Found found)
    : loop_(loop),
      found_(std::move(found)),
      builder_(loop.row->getTerminator()),
      low_(builder_.getInt64(0)),
      high_(llvm::cast<llvm::ICmpInst>(llvm::cast<llvm::BranchInst>(loop.latch->getTerminator())->getCondition())
                ->getOperand(1)) {}

bool ItemRange::add(const Guard& guard) {
  return addCondition(*guard.branch->getCondition(), guard.active == 0, 0);
}

void ItemRange::apply() {
  if (narrowed_) setItemRange(loop_, *low_, *high_);
}

bool ItemRange::addCondition(llvm::Value& condition, bool holds, unsigned depth) {
  using namespace llvm::PatternMatch;
  if (depth > maxDepth) return false;
  llvm::Value* a = nullptr;
  llvm::Value* b = nullptr;
  const bool split = holds ? match(&condition, m_LogicalAnd(m_Value(a), m_Value(b)))
                           : match(&condition, m_LogicalOr(m_Value(a), m_Value(b)));
  if (split) {
    const bool first = addCondition(*a, holds, depth + 1);
    return addCondition(*b, holds, depth + 1) && first;
  }
  if (match(&condition, m_Not(m_Value(a)))) return addCondition(*a, !holds, depth + 1);
  if (canHoist(condition, 0)) {
    llvm::Value* const term = builder_.CreateFreeze(hoist(condition));
    llvm::Value* const none = builder_.getInt64(0);
    high_ = holds ? builder_.CreateSelect(term, high_, none) : builder_.CreateSelect(term, none, high_);
    narrowed_ = true;
    return true;
  }
  auto* const compare = llvm::dyn_cast<llvm::ICmpInst>(&condition);
  return compare && addBound(*compare, holds);
}

bool ItemRange::addBound(llvm::ICmpInst& compare, bool holds) {
  llvm::CmpInst::Predicate predicate = holds ? compare.getPredicate() : compare.getInversePredicate();
  llvm::Value* left = compare.getOperand(0);
  llvm::Value* right = compare.getOperand(1);
  if (canHoist(*left, 0)) {
    std::swap(left, right);
    predicate = llvm::CmpInst::getSwappedPredicate(predicate);
  }
  // Exact in 64 bits only if the comparison itself is of fewer.
  const llvm::Type* const type = left->getType();
  if (!type->isIntegerTy() || type->getIntegerBitWidth() > 32 || predicate == llvm::CmpInst::ICMP_NE) return false;
  const bool isSigned = !llvm::CmpInst::isUnsigned(predicate);
  if (!canHoist(*right, 0) || !isXPlus(*left, isSigned, 0)) return false;

  llvm::Type* const wide = builder_.getInt64Ty();
  llvm::Value* const bound = builder_.CreateIntCast(builder_.CreateFreeze(hoist(*right)), wide, isSigned);
  llvm::Value* const at = builder_.CreateSub(bound, builder_.CreateFreeze(offsetOf(*left, isSigned)), "bound");
  llvm::Value* const behind = builder_.CreateAdd(at, builder_.getInt64(1));
  const auto atLeast = [&](llvm::Value* low) {
    low_ = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, low_, low);
  };
  const auto below = [&](llvm::Value* high) {
    high_ = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, high_, high);
  };
  switch (predicate) {
    case llvm::CmpInst::ICMP_SLT:
    case llvm::CmpInst::ICMP_ULT:
      below(at);
      break;
    case llvm::CmpInst::ICMP_SLE:
    case llvm::CmpInst::ICMP_ULE:
      below(behind);
      break;
    case llvm::CmpInst::ICMP_SGE:
    case llvm::CmpInst::ICMP_UGE:
      atLeast(at);
      break;
    case llvm::CmpInst::ICMP_SGT:
    case llvm::CmpInst::ICMP_UGT:
      atLeast(behind);
      break;
    default:  // equal
      atLeast(at);
      below(behind);
      break;
  }
  narrowed_ = true;
  return true;
}

bool ItemRange::canHoist(const llvm::Value& value, unsigned depth) const {
  const auto* const instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (!instruction) return llvm::isa<llvm::Argument, llvm::Constant>(value);
  if (const auto axis = itemIdAxisOf(*instruction)) return *axis != 0;
  if (found_(*instruction)) return true;
  if (depth > maxDepth || !isPlain(*instruction)) return false;
  return llvm::all_of(instruction->operands(), [&](const llvm::Use& operand) { return canHoist(*operand, depth + 1); });
}

llvm::Value* ItemRange::hoist(llvm::Value& value) {
  auto* const instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (!instruction) return &value;
  if (const auto axis = itemIdAxisOf(*instruction)) return loop_.id[*axis];
  if (llvm::Value* const found = found_(*instruction)) return found;
  llvm::Instruction* const copy = instruction->clone();
  copy->dropUBImplyingAttrsAndMetadata();
  copy->setDebugLoc({});
  for (llvm::Use& operand : copy->operands()) operand.set(hoist(*operand));
  return builder_.Insert(copy);
}

/// Whether `value` is x plus something that can be hoisted, without wrapping as a number of that signedness.
bool ItemRange::isXPlus(const llvm::Value& value, bool isSigned, unsigned depth) const {
  const auto* const instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (!instruction || depth > maxDepth) return false;
  if (const auto axis = itemIdAxisOf(*instruction)) return *axis == 0;
  const auto* const sum = llvm::dyn_cast<llvm::BinaryOperator>(instruction);
  if (!sum || sum->getOpcode() != llvm::Instruction::Add) return false;
  for (const unsigned i : {0U, 1U}) {
    const llvm::Value& offset = *sum->getOperand(1 - i);
    if (!canHoist(offset, 0) || !isXPlus(*sum->getOperand(i), isSigned, depth + 1)) continue;
    if (itemIdAxisOf(*llvm::cast<llvm::Instruction>(sum->getOperand(i))) && isSmall(offset)) return true;
    return isSigned ? sum->hasNoSignedWrap() : sum->hasNoUnsignedWrap();
  }
  return false;
}

/// The something of isXPlus(), as i64.
llvm::Value* ItemRange::offsetOf(llvm::Value& value, bool isSigned) {
  auto* const sum = llvm::dyn_cast<llvm::BinaryOperator>(&value);
  if (!sum) return builder_.getInt64(0);
  const unsigned x = canHoist(*sum->getOperand(0), 0) ? 1 : 0;
  llvm::Value* const rest = offsetOf(*sum->getOperand(x), isSigned);
  llvm::Value* const offset = builder_.CreateIntCast(hoist(*sum->getOperand(1 - x)), builder_.getInt64Ty(), isSigned);
  return builder_.CreateAdd(rest, offset);
}

}  // namespace lathe::detail
