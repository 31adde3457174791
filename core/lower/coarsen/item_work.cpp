// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an item of a kernel does, from its code.
#include "core/lower/coarsen/item_work.h"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

namespace lathe::detail {
namespace {

/// By how much values grow from an item to its neighbour along x, wrapping aside.
class Slopes {
 public:
  explicit Slopes(const llvm::Function* itemId) : itemId_(itemId) {}

  static constexpr std::int64_t byLaunch = INT64_MAX;  ///< by a number that the launch knows
  /// None: it differs between neighbours.
  using Slope = std::optional<std::int64_t>;

  Slope of(const llvm::Value& value) {
    const auto* const instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    if (!instruction) return 0;
    const auto [known, isNew] = slopes_.try_emplace(instruction, 0);  // in a cycle: as it enters the loop
    if (!isNew) return known->second;
    const Slope found = compute(*instruction);
    slopes_[instruction] = found;
    return found;
  }

 private:
  static Slope sum(Slope a, Slope b, std::int64_t sign = 1) {
    if (!a || !b) return std::nullopt;
    if (*a == byLaunch || *b == byLaunch) return byLaunch;
    return *a + sign * *b;
  }
  static Slope scaled(Slope a, const llvm::APInt& by) {
    if (!a || *a == 0 || *a == byLaunch) return a;
    const std::int64_t factor = by.getSExtValue();
    std::int64_t out = 0;
    return __builtin_mul_overflow(*a, factor, &out) ? byLaunch : out;
  }
  /// None if the operands have slopes at all.
  Slope flat(const llvm::Instruction& instruction) {
    for (const llvm::Value* operand : instruction.operand_values())
      if (of(*operand) != 0) return std::nullopt;
    return 0;
  }
  /// Of a choice between values: theirs if it is the same, or that of the one that has any.
  Slope either(Slope a, Slope b) {
    if (a == b || b == 0) return a;
    return a == 0 ? b : std::nullopt;
  }

  Slope compute(const llvm::Instruction& instruction) {
    const auto operand = [&](unsigned i) -> const llvm::Value& { return *instruction.getOperand(i); };
    switch (instruction.getOpcode()) {
      case llvm::Instruction::Call: {
        const auto& call = llvm::cast<llvm::CallInst>(instruction);
        if (call.getCalledFunction() == itemId_) return 1;
        if (llvm::isa<llvm::MinMaxIntrinsic>(call)) return either(of(operand(0)), of(operand(1)));
        return flat(instruction);
      }
      case llvm::Instruction::Add:
      case llvm::Instruction::Or:
        if (instruction.getOpcode() == llvm::Instruction::Or &&
            !llvm::cast<llvm::PossiblyDisjointInst>(instruction).isDisjoint())
          return flat(instruction);
        return sum(of(operand(0)), of(operand(1)));
      case llvm::Instruction::Sub:
        return sum(of(operand(0)), of(operand(1)), -1);
      case llvm::Instruction::Mul:
        if (const auto* const by = llvm::dyn_cast<llvm::ConstantInt>(&operand(1)))
          return scaled(of(operand(0)), by->getValue());
        if (const Slope slope = either(of(operand(0)), of(operand(1))); slope) return *slope == 0 ? 0 : byLaunch;
        return std::nullopt;
      case llvm::Instruction::Shl:
        if (const auto* const by = llvm::dyn_cast<llvm::ConstantInt>(&operand(1)); by && by->getValue().ult(63))
          return scaled(of(operand(0)), llvm::APInt::getOneBitSet(64, unsigned(by->getZExtValue())));
        return flat(instruction);
      case llvm::Instruction::SExt:
      case llvm::Instruction::ZExt:
      case llvm::Instruction::Trunc:
      case llvm::Instruction::Freeze:
      case llvm::Instruction::AddrSpaceCast:
        return of(operand(0));
      case llvm::Instruction::Select:
        return either(of(operand(1)), of(operand(2)));
      case llvm::Instruction::PHI: {
        Slope out = 0;
        for (const llvm::Value* incoming : llvm::cast<llvm::PHINode>(instruction).incoming_values())
          out = out ? either(out, of(*incoming)) : out;
        return out;
      }
      case llvm::Instruction::GetElementPtr: {
        const llvm::DataLayout& layout = instruction.getDataLayout();
        Slope out = of(operand(0));
        for (auto index = llvm::gep_type_begin(instruction), end = llvm::gep_type_end(instruction); index != end;
             ++index) {
          if (index.isStruct()) continue;
          const llvm::APInt size(64, index.getSequentialElementStride(layout).getFixedValue());
          out = sum(out, scaled(of(*index.getOperand()), size));
        }
        return out;
      }
      default:
        return flat(instruction);
    }
  }

  const llvm::Function* itemId_;
  llvm::DenseMap<const llvm::Instruction*, Slope> slopes_;
};

/// Loads in loops, and which of them start over with what others have loaded.
class LoopLoads {
 public:
  explicit LoopLoads(const llvm::LoopInfo& loops) : loops_(loops) {}

  void add(const llvm::Instruction& load, const llvm::Value& pointer) {
    const llvm::Loop* const loop = outermost(load);
    if (!loop) return;
    Read read{loop,
              llvm::getUnderlyingObject(&pointer, /*MaxLookup=*/0),
              load.getDataLayout().getTypeStoreSize(load.getType()),
              {}};
    addLoopsBefore(pointer, read.before);
    reads_.push_back(std::move(read));
  }

  /// Bytes of the loads that are not all that reads their memory in a loop. One whose address goes on from another
  /// loop's does not read what that has read.
  [[nodiscard]] std::uint64_t again() const {
    std::uint64_t out = 0;
    for (const Read& read : reads_) {
      const bool isAgain = llvm::any_of(reads_, [&](const Read& other) {
        return other.memory == read.memory && other.loop != read.loop && !other.before.contains(read.loop) &&
               !read.before.contains(other.loop);
      });
      if (isAgain) out += read.size;
    }
    return out;
  }

 private:
  using Loops = llvm::SmallPtrSet<const llvm::Loop*, 4>;
  struct Read {
    const llvm::Loop* loop;
    const llvm::Value* memory;
    std::uint64_t size;
    Loops before;  ///< that its address is computed in
  };

  [[nodiscard]] const llvm::Loop* outermost(const llvm::Instruction& instruction) const {
    const llvm::Loop* const loop = loops_.getLoopFor(instruction.getParent());
    return loop ? loop->getOutermostLoop() : nullptr;
  }
  void addLoopsBefore(const llvm::Value& pointer, Loops& out) const {
    llvm::SmallPtrSet<const llvm::Value*, 16> seen;
    llvm::SmallVector<const llvm::Value*> open = {&pointer};
    while (!open.empty()) {
      const auto* const instruction = llvm::dyn_cast<llvm::Instruction>(open.pop_back_val());
      if (!instruction || !seen.insert(instruction).second) continue;
      if (const llvm::Loop* const loop = outermost(*instruction)) out.insert(loop);
      open.append(instruction->value_op_begin(), instruction->value_op_end());
    }
  }

  const llvm::LoopInfo& loops_;
  llvm::SmallVector<Read> reads_;
};

}  // namespace

ItemWork workOf(const llvm::Function& kernel, const JamPlan& plan, const JamVocabulary& vocabulary) {
  const llvm::DominatorTree dominators(const_cast<llvm::Function&>(kernel));
  const llvm::LoopInfo loops(dominators);
  Slopes slopes(vocabulary.itemId);
  LoopLoads loopLoads(loops);
  ItemWork out;
  for (const llvm::GlobalVariable* variable : groupVariablesOf(kernel, vocabulary.groupSpace))
    out.shared += kernel.getDataLayout().getTypeAllocSize(variable->getValueType());
  const auto addAccess = [&](const llvm::Instruction& access, const llvm::Value& pointer) {
    const std::uint64_t size = kernel.getDataLayout().getTypeStoreSize(llvm::getLoadStoreType(&access));
    if (llvm::isa<llvm::LoadInst>(access)) {
      out.loaded += size;
      loopLoads.add(access, pointer);
    }
    const Slopes::Slope slope = slopes.of(pointer);
    const std::uint64_t distance = !slope                       ? 0
                                   : *slope == Slopes::byLaunch ? UINT64_MAX
                                                                : static_cast<std::uint64_t>(std::abs(*slope));
    out.reach = std::max({out.reach, size, distance});
  };
  for (const llvm::BasicBlock& block : kernel) {
    const llvm::Loop* const loop = loops.getLoopFor(&block);
    for (const auto& [head, region] : plan.regions())
      out.loopsApart |= loop != loops.getLoopFor(head) && region.blocks.contains(const_cast<llvm::BasicBlock*>(&block));
    for (const llvm::Instruction& instruction : block) {
      if (!plan.varies(instruction) || llvm::isa<llvm::AssumeInst>(instruction)) continue;
      ++out.instructions;
      if (llvm::isa<llvm::PHINode>(instruction) && loops.isLoopHeader(&block)) ++out.carried;
      const llvm::Value* const pointer = llvm::getLoadStorePointerOperand(&instruction);
      if (pointer && pointer->getType()->getPointerAddressSpace() != vocabulary.groupSpace)
        addAccess(instruction, *pointer);
    }
  }
  out.reloaded = loopLoads.again();
  return out;
}

}  // namespace lathe::detail
