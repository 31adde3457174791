// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values kept once, and the group's next step, live in stack slots that SROA turns into SSA values of the code between
// the item loops.
#include "core/group/emit/group_frame.h"

#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

#include "core/group/analysis/device_calls.h"
#include "core/group/analysis/regions.h"
#include "core/group/entry/group_entry.h"

namespace lathe::detail {

GroupFrame::GroupFrame(GroupFunction& group, const RegionGraph& graph, const LiveAcrossBarriers& live, bool joined)
    : group_(group), joined_(joined) {
  llvm::Function& function = *group.function;
  llvm::BasicBlock& body = function.getEntryBlock();
  entry_ = llvm::BasicBlock::Create(function.getContext(), "group", &function, &body);
  llvm::IRBuilder<> builder(entry_);
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
      if (live.arrayOf(*variable)) continue;
      auto* const copy = llvm::cast<llvm::AllocaInst>(builder.Insert(variable->clone(), variable->getName()));
      private_[variable] = copy;
      privateEscapes_ |= llvm::PointerMayBeCaptured(variable, false);
    }
  }
  for (unsigned region = 0; region < graph.regions().size(); ++region) {
    for (const llvm::Instruction* value : live.liveInto(region)) {
      if (live.of(*value) != LiveRange::once || once_.contains(value)) continue;
      once_[value] = builder.CreateAlloca(value->getType(), nullptr, value->getName() + ".once");
    }
  }
  least_ = builder.CreateAlloca(builder.getInt32Ty(), nullptr, "least");
  greatest_ = builder.CreateAlloca(builder.getInt32Ty(), nullptr, "greatest");
  for (unsigned axis = 0; axis < 3; ++axis) {
    sizes_[axis] = group.fixedSize ? builder.getInt64((*group.fixedSize)[axis])
                                   : builder.CreateZExt(group.groupSize[axis], builder.getInt64Ty());
  }
  // Whoever does not ask for its row needs no loop over planes of rows.
  const bool usesRows = llvm::any_of(llvm::instructions(function), [](const llvm::Instruction& instruction) {
    return itemIdAxisOf(instruction).value_or(0) != 0;
  });
  if (!usesRows) {
    sizes_[1] = builder.CreateNUWMul(sizes_[1], sizes_[2]);
    sizes_[2] = builder.getInt64(1);
  }
  if (joined) {
    sizes_[0] = builder.CreateMul(sizes_[0], builder.CreateZExt(group.groups, builder.getInt64Ty()), "", true, true);
  }
  items_ = builder.CreateNUWMul(builder.CreateNUWMul(sizes_[0], sizes_[1]), sizes_[2], "items");
  if (live.contextBytes() == 0) return;
  constexpr std::uint64_t low = abi::groupBlockAlign - 1;
  paddedItems_ =
      builder.CreateAnd(builder.CreateNUWAdd(items_, builder.getInt64(low)), builder.getInt64(~low), "padded");
  const auto addArray = [&](const ContextArray* array) {
    if (!array || array->size == 0 || arrays_.contains(array->offset)) return;
    llvm::Value* const offset = builder.CreateNUWMul(paddedItems_, builder.getInt64(array->offset));
    arrays_[array->offset] = builder.CreateInBoundsGEP(builder.getInt8Ty(), group.context, offset, "array");
  };
  for (const llvm::Instruction& instruction : llvm::instructions(function)) addArray(live.arrayOf(instruction));
  addArray(&live.waiting());
  addArray(&live.masks());
}

void GroupFrame::close(llvm::BasicBlock& first, llvm::BasicBlock& last) {
  llvm::LLVMContext& context = function().getContext();
  group_.rowItems->replaceAllUsesWith(
      llvm::IRBuilder<>(entry_).CreateTrunc(sizes_[0], group_.rowItems->getType(), "row_items", true, true));
  if (joined_) {
    llvm::IRBuilder<>(entry_).CreateBr(&first);
    llvm::IRBuilder<>(&last).CreateRetVoid();
    return;
  }
  llvm::IRBuilder<> builder(entry_);
  llvm::Argument* const firstId = group_.groupId[0];
  llvm::Argument* const firstItem = group_.firstItem[0];
  llvm::Value* const end = builder.CreateAdd(firstId, group_.groups, "end", true, true);
  llvm::BasicBlock* const head = llvm::BasicBlock::Create(context, "next_group", &function(), &first);
  llvm::BasicBlock* const out = llvm::BasicBlock::Create(context, "return", &function());
  builder.CreateBr(head);
  llvm::ReturnInst::Create(context, out);

  builder.SetInsertPoint(head);
  llvm::PHINode* const id = builder.CreatePHI(firstId->getType(), 2, firstId->getName());
  llvm::Value* const size = builder.CreateTrunc(sizes_[0], id->getType());
  llvm::Value* const item = builder.CreateMul(id, size, firstItem->getName(), true, true);
  builder.CreateBr(&first);
  for (auto [argument, current] : {std::pair<llvm::Argument*, llvm::Value*>(firstId, id), {firstItem, item}}) {
    argument->replaceUsesWithIf(current, [&](const llvm::Use& use) {
      return llvm::cast<llvm::Instruction>(use.getUser())->getParent() != entry_;
    });
  }
  builder.SetInsertPoint(&last);
  llvm::Value* const next = builder.CreateAdd(id, builder.getInt32(1), "", true, true);
  builder.CreateCondBr(builder.CreateICmpEQ(next, end), out, head);
  id->addIncoming(firstId, entry_);
  id->addIncoming(next, &last);
}

llvm::Value* GroupFrame::element(llvm::IRBuilder<>& builder, const ContextArray& array, llvm::Value* index) const {
  llvm::Type* const unit = llvm::ArrayType::get(builder.getInt8Ty(), array.size);
  return builder.CreateInBoundsGEP(unit, arrays_.at(array.offset), index);
}

}  // namespace lathe::detail
