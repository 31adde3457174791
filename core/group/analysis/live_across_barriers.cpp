// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Liveness at split points, and the cheapest way to bring each live value over.
//
// Recomputing needs no care for loops: an operand's definition dominates the value's, so between the value's definition
// and any use of it the operand cannot have been defined anew.
#include "core/group/analysis/live_across_barriers.h"

#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

#include "core/group/analysis/device_calls.h"
#include "core/group/analysis/regions.h"
#include "core/group/analysis/uniformity.h"

namespace lathe::detail {
namespace {

/// Longest expression that is cheaper to compute again than to keep, in instructions.
constexpr unsigned maxRecomputed = 8;

bool isCheap(const llvm::Instruction& value) {
  switch (value.getOpcode()) {
    case llvm::Instruction::UDiv:
    case llvm::Instruction::SDiv:
    case llvm::Instruction::URem:
    case llvm::Instruction::SRem:
    case llvm::Instruction::FDiv:
    case llvm::Instruction::FRem:
    case llvm::Instruction::Freeze:  // each copy could choose differently
      return false;
    default:
      return llvm::isa<llvm::BinaryOperator, llvm::UnaryOperator, llvm::CastInst, llvm::CmpInst, llvm::SelectInst,
                       llvm::GetElementPtrInst>(value);
  }
}

/// Instructions needed to compute `value` from what is at hand, parameters and values that are the same for all items;
/// more than `budget` if that is not enough or it cannot be done.
unsigned recomputeCost(const llvm::Instruction& value, const GroupUniformity& uniformity, unsigned budget) {
  if (isAtHand(value)) return 0;
  if (!isCheap(value)) return uniformity.isUniform(value) ? 0 : budget + 1;
  unsigned cost = 1;
  for (const llvm::Use& operand : value.operands()) {
    if (cost > budget) break;
    if (const auto* instruction = llvm::dyn_cast<llvm::Instruction>(operand)) {
      cost += recomputeCost(*instruction, uniformity, budget - cost);
    }
  }
  // What is uniform and too long to recompute is kept once, and costs its users nothing.
  return cost > budget && uniformity.isUniform(value) ? 0 : cost;
}

/// Calls `visit` for each block other than `value`'s own at whose beginning `value` is live.
template <class Visit>
void forLiveBlocks(const llvm::Instruction& value, const Visit& visit) {
  llvm::SmallPtrSet<const llvm::BasicBlock*, 16> seen;
  llvm::SmallVector<const llvm::BasicBlock*> work;
  for (const llvm::Use& use : value.uses()) {
    const auto* const user = llvm::cast<llvm::Instruction>(use.getUser());
    const auto* const phi = llvm::dyn_cast<llvm::PHINode>(user);
    work.push_back(phi ? phi->getIncomingBlock(use) : user->getParent());
  }
  while (!work.empty()) {
    const llvm::BasicBlock* const block = work.pop_back_val();
    if (block == value.getParent() || !seen.insert(block).second) continue;
    visit(*block);
    llvm::append_range(work, llvm::predecessors(block));
  }
}

/// The instructions that touch a private variable; `escapes` if its address goes where they cannot be followed.
struct PrivateUses {
  llvm::SmallSetVector<const llvm::BasicBlock*, 8> blocks;
  bool escapes = false;
};

PrivateUses usesOf(const llvm::AllocaInst& variable) {
  PrivateUses out;
  llvm::SmallPtrSet<const llvm::Value*, 16> seen;
  llvm::SmallVector<const llvm::Value*> work = {&variable};
  while (!work.empty()) {
    const llvm::Value* const pointer = work.pop_back_val();
    if (!seen.insert(pointer).second) continue;
    for (const llvm::Use& use : pointer->uses()) {
      const auto* const user = llvm::cast<llvm::Instruction>(use.getUser());
      if (user->isLifetimeStartOrEnd()) continue;
      out.blocks.insert(user->getParent());
      if (llvm::isa<llvm::GetElementPtrInst, llvm::CastInst, llvm::PHINode, llvm::SelectInst>(user)) {
        if (llvm::isa<llvm::PtrToIntInst>(user)) out.escapes = true;
        work.push_back(user);
      } else if (const auto* call = llvm::dyn_cast<llvm::CallBase>(user)) {
        if (!llvm::isa<llvm::MemIntrinsic>(call) && !call->doesNotCapture(call->getArgOperandNo(&use))) {
          out.escapes = true;
        }
      } else if (llvm::isa<llvm::StoreInst>(user) && use.getOperandNo() == 0) {
        out.escapes = true;
      }
    }
  }
  return out;
}

/// Whether what `variable` holds must outlive a region: if not, all items can use the same bytes, one after another.
bool outlivesRegion(const llvm::AllocaInst& variable, const RegionGraph& graph) {
  if (graph.regions().size() == 1) return false;
  const PrivateUses uses = usesOf(variable);
  if (uses.escapes) return true;
  std::optional<unsigned> only;
  for (unsigned i = 0; i < graph.regions().size(); ++i) {
    const bool used = llvm::any_of(uses.blocks, [&](const llvm::BasicBlock* block) {
      return graph.regions()[i].blocks.contains(const_cast<llvm::BasicBlock*>(block));
    });
    if (!used) continue;
    if (only || graph.repeats(i)) return true;
    only = i;
  }
  return false;
}

}  // namespace

bool isAtHand(const llvm::Value& value) {
  const auto* const instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  return instruction && (llvm::isa<llvm::AllocaInst>(instruction) || itemIdAxisOf(*instruction));
}

LiveAcrossBarriers::LiveAcrossBarriers(llvm::Function& function, const RegionGraph& graph,
                                       const GroupUniformity& uniformity, unsigned subgroupSize)
    : liveIn_(graph.regions().size()) {
  findLiveIns(function, graph);
  for (auto& live : liveIn_) {
    for (llvm::Instruction* value : live) classify(*value, uniformity);
  }
  // Operands of recomputed values become live themselves; classify() has seen them.
  for (unsigned region = 0; region < liveIn_.size(); ++region) close(region);
  llvm::DenseMap<const llvm::Instruction*, unsigned> order;
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    order[&instruction] = static_cast<unsigned>(order.size());
  }
  for (auto& live : liveIn_) {
    llvm::sort(live, [&](const auto* a, const auto* b) { return order.lookup(a) < order.lookup(b); });
  }
  layOut(function, graph, subgroupSize);
}

const ContextArray* LiveAcrossBarriers::arrayOf(const llvm::Instruction& value) const {
  const auto found = arrays_.find(&value);
  return found == arrays_.end() ? nullptr : &found->second;
}

void LiveAcrossBarriers::findLiveIns(llvm::Function& function, const RegionGraph& graph) {
  for (llvm::Instruction& value : llvm::instructions(function)) {
    if (isAtHand(value)) continue;
    forLiveBlocks(value, [&](const llvm::BasicBlock& block) {
      if (const unsigned region = graph.regionAt(block)) liveIn_[region].push_back(&value);
    });
  }
}

LiveRange LiveAcrossBarriers::classify(llvm::Instruction& value, const GroupUniformity& uniformity) {
  if (const auto found = kinds_.find(&value); found != kinds_.end()) return found->second;
  const bool uniform = uniformity.isUniform(value);
  const unsigned cost = recomputeCost(value, uniformity, maxRecomputed);
  LiveRange kind = uniform ? LiveRange::once : LiveRange::perItem;
  if (isCheap(value) && cost > 0 && cost <= maxRecomputed) {
    kind = LiveRange::recomputed;
    for (llvm::Use& operand : value.operands()) {
      auto* const instruction = llvm::dyn_cast<llvm::Instruction>(operand);
      if (instruction && !isAtHand(*instruction)) classify(*instruction, uniformity);
    }
  }
  return kinds_[&value] = kind;
}

void LiveAcrossBarriers::close(unsigned region) {
  std::vector<llvm::Instruction*>& live = liveIn_[region];
  llvm::SmallPtrSet<const llvm::Instruction*, 16> known(llvm::from_range, live);
  for (std::size_t i = 0; i < live.size(); ++i) {  // grows
    if (of(*live[i]) != LiveRange::recomputed) continue;
    for (llvm::Use& operand : live[i]->operands()) {
      auto* const instruction = llvm::dyn_cast<llvm::Instruction>(operand);
      if (instruction && !isAtHand(*instruction) && known.insert(instruction).second) live.push_back(instruction);
    }
  }
}

void LiveAcrossBarriers::layOut(llvm::Function& function, const RegionGraph& graph, unsigned subgroupSize) {
  struct Member {
    std::vector<const llvm::Instruction*> values;  ///< share the array: no region finds two of them live
    std::uint64_t align;
    std::uint64_t size;
    llvm::SmallBitVector regions;
    ContextArray* own = nullptr;  ///< of no value
  };
  const llvm::DataLayout& layout = function.getDataLayout();
  const auto count = static_cast<unsigned>(liveIn_.size());
  std::vector<Member> members;
  const auto add = [&](const llvm::Instruction& value, llvm::TypeSize bytes, llvm::Align align,
                       llvm::SmallBitVector live) {
    const std::uint64_t size = llvm::alignTo(bytes.getFixedValue(), align);
    if (size == 0) return;
    const auto fits = llvm::find_if(members, [&](const Member& member) {
      return member.size == size && member.align == align.value() && !member.regions.anyCommon(live);
    });
    if (fits == members.end()) {
      members.push_back({.values = {&value}, .align = align.value(), .size = size, .regions = std::move(live)});
    } else {
      fits->values.push_back(&value);
      fits->regions |= live;
    }
  };
  llvm::DenseMap<const llvm::Instruction*, llvm::SmallBitVector> liveInto;
  for (unsigned region = 0; region < count; ++region)
    for (const llvm::Instruction* value : liveIn_[region]) liveInto.try_emplace(value, count).first->second.set(region);
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    if (const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
      if (!outlivesRegion(*variable, graph)) continue;
      add(*variable, *variable->getAllocationSize(layout), variable->getAlign(), llvm::SmallBitVector(count, true));
    } else if (const auto kind = kinds_.find(&instruction);
               kind != kinds_.end() && kind->second == LiveRange::perItem) {
      llvm::Type* const type = instruction.getType();
      add(instruction, layout.getTypeAllocSize(type), layout.getABITypeAlign(type),
          liveInto.try_emplace(&instruction, count).first->second);
    }
  }
  if (graph.diverges()) members.push_back({{}, 4, 4, llvm::SmallBitVector(count, true), &waiting_});
  if (graph.isScheduled() && graph.hasSubgroups()) {
    const std::uint64_t bytes = subgroupMaskType(function.getContext(), subgroupSize)->getBitWidth() / 8;
    members.push_back({{}, bytes, bytes, llvm::SmallBitVector(count, true), &masks_});
  }
  llvm::stable_sort(members, [](const Member& a, const Member& b) {
    return a.align != b.align ? a.align > b.align : a.size > b.size;
  });
  for (const Member& member : members) {
    const ContextArray array = {contextBytes_, member.size};
    if (member.own) *member.own = array;
    for (const llvm::Instruction* value : member.values) arrays_[value] = array;
    contextBytes_ += member.size;
  }
}

}  // namespace lathe::detail
