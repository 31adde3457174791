// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks are cloned from the kernel's body; then what enters and leaves the region is connected.
#include "core/group/emit/region_copy.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

#include "core/group/analysis/device_calls.h"
#include "core/group/emit/converged_items.h"
#include "core/group/emit/item_range.h"
#include "core/group/emit/schedule.h"

namespace lathe::detail {
namespace {

/// Regions of a kernel above which those of items that have parted are not vectorised: that is half of a compile of
/// seconds, for what such kernels do seldom.
constexpr std::size_t mostForTrackedVectors = 64;

}  // namespace

RegionCopy::RegionCopy(GroupFrame& frame, const RegionGraph& graph, const LiveAcrossBarriers& live, unsigned region,
                       bool tracked)
    : frame_(frame),
      graph_(graph),
      live_(live),
      number_(region),
      tracked_(tracked),
      loop_(
          makeItemLoop(frame.function(), frame.sizes(), (tracked ? "tracked." : "region.") + std::to_string(region))) {}

void RegionCopy::emit(bool alone) {
  beginItems();
  cloneBlocks();
  finishPhis();
  endItems();
  repairValues();
  tagAccesses();
  if (alone) {
    removeLoop();
  } else {
    if (!records()) skipIdleItems();
    annotateItemLoop(loop_, !tracked_ || graph_.regions().size() <= mostForTrackedVectors);
  }
  removeUnused();
}

void RegionCopy::beginItems() {
  llvm::IRBuilder<> latch(loop_.latch, loop_.latch->begin());
  if (compares() || (!tracked_ && region().next.size() > 1)) {
    choice_ = latch.CreatePHI(latch.getInt32Ty(), 4, "next");
  }
  if (compares()) {
    llvm::IRBuilder<> before(loop_.before->getTerminator());
    before.CreateStore(before.getInt32(~0U), frame_.least());
    before.CreateStore(before.getInt32(0), frame_.greatest());
    latch.CreateStore(latch.CreateBinaryIntrinsic(llvm::Intrinsic::umin,
                                                  latch.CreateLoad(latch.getInt32Ty(), frame_.least()), choice_),
                      frame_.least());
    latch.CreateStore(latch.CreateBinaryIntrinsic(llvm::Intrinsic::umax,
                                                  latch.CreateLoad(latch.getInt32Ty(), frame_.greatest()), choice_),
                      frame_.greatest());
  } else if (choice_) {
    latch.CreateStore(choice_, frame_.greatest());
  }
  run_ = loop_.item;
  if (tracked_) {
    llvm::IRBuilder<> builder(loop_.item);
    llvm::Value* const place = frame_.element(builder, live_.waiting(), loop_.index);
    llvm::Value* const waiting = builder.CreateAlignedLoad(builder.getInt32Ty(), place, llvm::Align(4), "waiting");
    run_ = llvm::BasicBlock::Create(builder.getContext(), "run", &frame_.function(), loop_.latch);
    builder.CreateCondBr(builder.CreateICmpEQ(waiting, builder.getInt32(number_)), run_, loop_.latch);
    if (choice_) choice_->addIncoming(waiting, loop_.item);
  }
  runEnd_ = llvm::IRBuilder<>(run_).CreateUnreachable();  // until the blocks to branch to exist
  for (llvm::Instruction* value : live_.liveInto(number_)) entryValue(*value);
}

llvm::Value* RegionCopy::atHand(llvm::Instruction& value) {
  if (const std::optional<unsigned> axis = itemIdAxisOf(value)) return loop_.id[*axis];
  if (llvm::AllocaInst* const variable = frame_.sharedPrivate(value)) return variable;
  llvm::Value*& place = entry_[&value];
  if (!place) {
    llvm::IRBuilder<> builder(runEnd_);
    place = frame_.element(builder, *live_.arrayOf(value), loop_.index);
    place->setName(value.getName());
  }
  return place;
}

llvm::Value* RegionCopy::entryValue(llvm::Instruction& value) {
  if (isAtHand(value)) return atHand(value);
  if (llvm::Value* const known = entry_.lookup(&value)) return known;
  llvm::IRBuilder<> builder(runEnd_);
  llvm::Value* made = nullptr;
  if (live_.of(value) == LiveRange::recomputed) {
    llvm::Instruction* const copy = value.clone();
    copy->dropUBImplyingAttrsAndMetadata();
    copy->setDebugLoc({});
    for (llvm::Use& operand : copy->operands()) {
      if (auto* instruction = llvm::dyn_cast<llvm::Instruction>(operand)) operand.set(entryValue(*instruction));
    }
    made = builder.Insert(copy, value.getName());
    if (llvm::Value* const id = wideId(*copy)) made = id;
  } else {
    made = loadKept(builder, value);
  }
  return entry_[&value] = made;
}

llvm::Value* RegionCopy::loadKept(llvm::IRBuilder<>& builder, llvm::Instruction& value) {
  if (llvm::AllocaInst* const slot = frame_.onceSlot(value)) {
    return llvm::IRBuilder<>(loop_.before->getTerminator()).CreateLoad(value.getType(), slot, value.getName());
  }
  const ContextArray& array = *live_.arrayOf(value);
  llvm::Value* const place = frame_.element(builder, array, loop_.index);
  if (!value.getType()->isIntegerTy(1)) return builder.CreateLoad(value.getType(), place, value.getName());
  return builder.CreateTrunc(builder.CreateLoad(builder.getInt8Ty(), place), value.getType(), value.getName());
}

void RegionCopy::cloneBlocks() {
  llvm::Function& function = frame_.function();
  // The kernel's own objects: atoms of debug locations aside, nothing but blocks and instructions is renamed.
  for (llvm::BasicBlock* block : region().blocks) {
    llvm::BasicBlock* const clone = llvm::CloneBasicBlock(block, clones_, "", &function);
    clone->moveBefore(loop_.latch);
    clones_[block] = clone;
    blocks_.push_back(clone);
  }
  std::vector<llvm::Instruction*> replaced;
  const auto replace = [&](llvm::Instruction& original) {
    if (!isAtHand(original)) return;
    llvm::Value* const ours = atHand(original);
    llvm::WeakTrackingVH& clone = clones_[&original];
    if (clone == ours) return;
    if (clone) replaced.push_back(llvm::cast<llvm::Instruction>(clone));
    clone = ours;
  };
  for (llvm::BasicBlock* block : region().blocks) {
    for (llvm::Instruction& instruction : *block) {
      replace(instruction);
      for (llvm::Use& operand : instruction.operands()) {
        if (auto* used = llvm::dyn_cast<llvm::Instruction>(operand)) replace(*used);
      }
    }
  }
  for (llvm::Instruction* value : live_.liveInto(number_)) {
    if (!clones_.count(value)) clones_[value] = entry_[value];
  }
  for (llvm::Instruction* instruction : replaced) instruction->eraseFromParent();
  // No-alias scopes hold within one copy of the code they came with.
  llvm::SmallVector<llvm::MDNode*> scopes;
  llvm::identifyNoAliasScopesToClone(blocks_, scopes);
  llvm::cloneAndAdaptNoAliasScopes(scopes, blocks_, function.getContext(), std::to_string(number_));
}

void RegionCopy::finishPhis() {
  const llvm::RemapFlags flags = llvm::RF_NoModuleLevelChanges | llvm::RF_IgnoreMissingLocals;
  for (llvm::BasicBlock* original : region().blocks) {
    auto* const clone = llvm::cast<llvm::BasicBlock>(clones_[original]);
    for (llvm::PHINode& phi : clone->phis()) {
      for (unsigned i = phi.getNumIncomingValues(); i-- > 0;) {
        if (!region().blocks.contains(phi.getIncomingBlock(i))) phi.removeIncomingValue(i, false);
      }
    }
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(*clone)) {
      // Private variables of an item are not objects of the function's own, whose life could be marked.
      if (instruction.isLifetimeStartOrEnd()) {
        const llvm::Value* const variable = clones_.lookup(instruction.getOperand(0));
        if (variable && !llvm::isa<llvm::AllocaInst>(variable)) {
          instruction.eraseFromParent();
          continue;
        }
      }
      llvm::RemapInstruction(&instruction, clones_, flags);
      llvm::RemapDbgRecordRange(frame_.function().getParent(), instruction.getDbgRecordRange(), clones_, flags);
      finishDebugRecords(instruction);
      if (const auto call = deviceCallOf(instruction); call && call->entry == DeviceEntry::subgroupConverged) {
        instruction.replaceAllUsesWith(convergedItems(llvm::cast<llvm::CallInst>(instruction)));
        instruction.eraseFromParent();
        continue;
      }
      if (llvm::Value* const id = wideId(instruction)) instruction.replaceAllUsesWith(id);
    }
  }
}

/// The items of the subgroup that passed the split together.
llvm::Value* RegionCopy::convergedItems(llvm::CallInst& call) {
  llvm::IRBuilder<> builder(&call);
  llvm::IntegerType* const type = subgroupMaskType(call.getContext(), frame_.subgroupSize());
  llvm::Value* set = nullptr;
  if (tracked_) {
    set = builder.CreateAlignedLoad(type, frame_.element(builder, live_.masks(), loop_.index), maskAlign(*type));
  } else {
    llvm::Value* const mask = builder.CreateZExtOrTrunc(call.getArgOperand(0), type);
    set = convergedOfAll(builder, *mask, *loop_.index, *frame_.items(), frame_.subgroupSize());
  }
  return builder.CreateZExt(set, call.getType());
}

/// The loop's own counter for an item id that is extended to its width; null for other values.
llvm::Value* RegionCopy::wideId(const llvm::Instruction& value) const {
  if (!llvm::isa<llvm::SExtInst, llvm::ZExtInst>(value)) return nullptr;
  const auto axis = llvm::find(loop_.id, value.getOperand(0));
  if (axis == loop_.id.end()) return nullptr;
  llvm::Value* const wide = loop_.wide[static_cast<std::size_t>(axis - loop_.id.begin())];
  return wide->getType() == value.getType() ? wide : nullptr;
}

/// A variable whose value does not reach the region is not known there.
void RegionCopy::finishDebugRecords(llvm::Instruction& instruction) {
  for (llvm::DbgVariableRecord& record : llvm::filterDbgVars(instruction.getDbgRecordRange())) {
    for (const llvm::Value* value : record.location_ops()) {
      const auto* const used = llvm::dyn_cast_or_null<llvm::Instruction>(value);
      if (used && !llvm::is_contained(blocks_, used->getParent()) && used->getParent() != run_ &&
          used->getParent() != loop_.before && !llvm::isa<llvm::AllocaInst>(used)) {
        record.setKillLocation();
        break;
      }
    }
  }
}

void RegionCopy::endItems() {
  llvm::IRBuilder<>(runEnd_).CreateBr(llvm::cast<llvm::BasicBlock>(clones_[region().entry]));
  runEnd_->eraseFromParent();
  runEnd_ = run_->getTerminator();
  // Control flow first: the SSA updater follows it.
  for (llvm::BasicBlock* original : region().blocks) {
    const std::optional<unsigned> continuation = graph_.continuationOf(*original);
    if (!continuation) continue;
    auto* const block = llvm::cast<llvm::BasicBlock>(clones_[original]);
    block->getTerminator()->eraseFromParent();
    llvm::IRBuilder<>(block).CreateBr(loop_.latch);
    if (choice_) choice_->addIncoming(llvm::ConstantInt::get(choice_->getType(), *continuation), block);
  }
  for (llvm::BasicBlock* original : region().blocks) {
    if (const std::optional<unsigned> continuation = graph_.continuationOf(*original))
      endItem(*original, *continuation);
  }
}

void RegionCopy::endItem(llvm::BasicBlock& original, unsigned continuation) {
  auto* const block = llvm::cast<llvm::BasicBlock>(clones_[&original]);
  llvm::IRBuilder<> builder(block->getTerminator());
  noteContinuation(builder, *block, continuation);
  if (continuation) keepValues(builder, *block, continuation);
}

/// For items that may not go on at once, what they wait for.
void RegionCopy::noteContinuation(llvm::IRBuilder<>& builder, llvm::BasicBlock& block, unsigned continuation) {
  unsigned state = continuation;
  if (graph_.isScheduled() && graph_.kindOf(continuation) == SplitKind::group) state |= awaitsGroup;
  if (graph_.isScheduled() && graph_.kindOf(continuation) == SplitKind::subgroup) {
    state |= awaitsSubgroup;
    auto* const barrier = llvm::cast<llvm::CallInst>(block.getTerminator()->getPrevNode());
    llvm::Value* const named = barrier->getArgOperand(0);
    barrier->eraseFromParent();
    builder.SetInsertPoint(block.getTerminator());
    llvm::Value* const place = frame_.element(builder, live_.masks(), loop_.index);
    if (records()) {
      llvm::IntegerType* const type = subgroupMaskType(block.getContext(), frame_.subgroupSize());
      builder.CreateAlignedStore(builder.CreateZExtOrTrunc(named, type), place, maskAlign(*type));
    }
  }
  if (!records()) return;
  llvm::Value* const place = frame_.element(builder, live_.waiting(), loop_.index);
  builder.CreateAlignedStore(builder.getInt32(state), place, llvm::Align(4));
}

void RegionCopy::keepValues(llvm::IRBuilder<>& builder, llvm::BasicBlock& block, unsigned continuation) {
  for (llvm::Instruction* value : live_.liveInto(continuation)) {
    if (live_.of(*value) == LiveRange::recomputed || !region().blocks.contains(value->getParent())) continue;
    llvm::SSAUpdater* const updater = updaterOf(*value);
    llvm::Value* current = updater ? updater->GetValueAtEndOfBlock(&block) : &*clones_[value];
    if (current == entry_.lookup(value)) continue;  // still where it was
    if (llvm::AllocaInst* const slot = frame_.onceSlot(*value)) {
      builder.CreateStore(current, slot);
      continue;
    }
    if (current->getType()->isIntegerTy(1)) current = builder.CreateZExt(current, builder.getInt8Ty());
    builder.CreateStore(current, frame_.element(builder, *live_.arrayOf(*value), loop_.index));
  }
}

/// For a value that the region both finds and computes anew; null for others.
llvm::SSAUpdater* RegionCopy::updaterOf(llvm::Instruction& value) {
  llvm::Value* const found = entry_.lookup(&value);
  if (!found || !region().blocks.contains(value.getParent())) return nullptr;
  std::unique_ptr<llvm::SSAUpdater>& updater = updaters_[&value];
  if (!updater) {
    auto* const clone = llvm::cast<llvm::Instruction>(clones_[&value]);
    updater = std::make_unique<llvm::SSAUpdater>();
    updater->Initialize(value.getType(), value.getName());
    updater->AddAvailableValue(run_, found);
    updater->AddAvailableValue(clone->getParent(), clone);
  }
  return updater.get();
}

void RegionCopy::repairValues() {
  for (llvm::Instruction* value : live_.liveInto(number_)) {
    llvm::SSAUpdater* const updater = updaterOf(*value);
    if (!updater) continue;
    auto* const clone = llvm::cast<llvm::Instruction>(clones_[value]);
    llvm::SmallVector<llvm::Use*> uses;
    for (llvm::Use& use : clone->uses()) {
      const auto* const user = llvm::cast<llvm::Instruction>(use.getUser());
      const bool local = user->getParent() == clone->getParent() && !llvm::isa<llvm::PHINode>(user);
      // What keepValues() and earlier repairs inserted is right already: it lies behind the definition.
      if (!local && !llvm::is_contained({loop_.latch, run_}, user->getParent())) uses.push_back(&use);
    }
    for (llvm::Use* use : uses) updater->RewriteUse(*use);
  }
}

/// Values that only pass through the region, and what they would be made of. What the loop is made of stays.
void RegionCopy::removeUnused() {
  const auto isOfLoop = [this](const llvm::Instruction& instruction) {
    return &instruction == loop_.index || llvm::is_contained(loop_.id, &instruction) ||
           llvm::is_contained(loop_.wide, &instruction);
  };
  for (llvm::BasicBlock* block : {run_, loop_.item, loop_.before}) {
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::reverse(*block))) {
      if (isOfLoop(instruction) || !llvm::isInstructionTriviallyDead(&instruction)) continue;
      llvm::salvageDebugInfo(instruction);
      instruction.eraseFromParent();
    }
  }
}

bool RegionCopy::mayBeSharedPrivate(const llvm::Value& pointer) const {
  llvm::SmallVector<const llvm::Value*> objects;
  llvm::getUnderlyingObjects(&pointer, objects, nullptr, 0);
  return llvm::any_of(objects, [&](const llvm::Value* object) {
    return llvm::isa<llvm::AllocaInst>(object) || (frame_.privateEscapes() && !llvm::isa<llvm::Argument>(object));
  });
}

void RegionCopy::tagAccesses() {
  std::vector<llvm::BasicBlock*> blocks = blocks_;
  blocks.push_back(loop_.item);
  if (run_ != loop_.item) blocks.push_back(run_);
  for (llvm::BasicBlock* block : blocks) {
    for (llvm::Instruction& instruction : *block) {
      const llvm::Value* const pointer = llvm::getLoadStorePointerOperand(&instruction);
      if (!pointer || instruction.isAtomic() || instruction.isVolatile() || mayBeSharedPrivate(*pointer)) continue;
      instruction.setMetadata(
          llvm::LLVMContext::MD_access_group,
          llvm::uniteAccessGroups(instruction.getMetadata(llvm::LLVMContext::MD_access_group), loop_.accesses));
    }
  }
}

/// Leaves out the items that the region's guards turn away.
void RegionCopy::skipIdleItems() {
  ItemRange range(loop_, [&](const llvm::Instruction& value) -> llvm::Value* {
    auto* const found = llvm::dyn_cast_or_null<llvm::Instruction>(entry_.lookup(&value));
    return found && found->getParent() == loop_.before ? found : nullptr;
  });
  for (const Guard& guard : findGuards(graph_, live_, number_)) {
    if (!range.add(guard)) break;
    auto* const branch = llvm::cast<llvm::BranchInst>(&*clones_[guard.branch]);
    branch->getSuccessor(1 - guard.active)->removePredecessor(branch->getParent());
    llvm::IRBuilder<>(branch).CreateBr(branch->getSuccessor(guard.active));
    branch->eraseFromParent();
  }
  range.apply();
}

/// Runs the body once, in place of the nest: each latch leaves its loop.
void RegionCopy::removeLoop() {
  for (llvm::BasicBlock* latch = loop_.latch; latch != loop_.after;) {
    auto* const branch = llvm::cast<llvm::BranchInst>(latch->getTerminator());
    llvm::BasicBlock* const out = branch->getSuccessor(0);
    if (branch->isConditional()) {  // else there is no loop over this axis
      branch->getSuccessor(1)->removePredecessor(latch);
      llvm::IRBuilder<>(branch).CreateBr(out);
      branch->eraseFromParent();
    }
    latch = out;
  }
}

}  // namespace lathe::detail
