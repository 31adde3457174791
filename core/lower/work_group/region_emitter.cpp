// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Regions are cloned from the kernel's body, which is deleted at the end. Values kept once, and the group's next step,
// live in stack slots that SROA turns into SSA values of the code between the loops.
#include "core/lower/work_group/region_emitter.h"

#include <map>

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"

#include "core/abi/group_entry.h"
#include "core/lower/work_group/crossing_values.h"
#include "core/lower/work_group/device_calls.h"
#include "core/lower/work_group/item_loop.h"
#include "core/lower/work_group/item_range.h"
#include "core/lower/work_group/regions.h"
#include "core/lower/work_group/uniformity.h"

namespace lathe::detail {
namespace {

/// What all regions of one group share.
class GroupFrame {
 public:
  GroupFrame(GroupFunction& group, const RegionGraph& graph, const CrossingValues& crossing);

  [[nodiscard]] llvm::Function& function() const { return *group_.function; }
  [[nodiscard]] const std::array<llvm::Value*, 3>& sizes() const { return sizes_; }
  [[nodiscard]] llvm::AllocaInst* onceSlot(const llvm::Instruction& value) const { return once_.lookup(&value); }
  /// A private variable that items use one after another; null if each has its own.
  [[nodiscard]] llvm::AllocaInst* sharedPrivate(const llvm::Instruction& variable) const {
    return private_.lookup(&variable);
  }
  [[nodiscard]] bool privateEscapes() const { return privateEscapes_; }
  /// Element `index` of a context array.
  llvm::Value* element(llvm::IRBuilder<>& builder, const ContextArray& array, llvm::Value* index) const;
  /// The least and the greatest continuation that the items of the current region have chosen.
  [[nodiscard]] llvm::AllocaInst* least() const { return least_; }
  [[nodiscard]] llvm::AllocaInst* greatest() const { return greatest_; }
  /// Ends the frame's entry block.
  void enter(llvm::BasicBlock& first) { llvm::IRBuilder<>(entry_).CreateBr(&first); }

 private:
  GroupFunction& group_;
  llvm::BasicBlock* entry_;
  std::array<llvm::Value*, 3> sizes_{};
  llvm::Value* paddedItems_ = nullptr;
  llvm::DenseMap<const llvm::Instruction*, llvm::AllocaInst*> once_;
  llvm::DenseMap<const llvm::Instruction*, llvm::AllocaInst*> private_;
  std::map<std::uint64_t, llvm::Value*> arrays_;  // by offset
  llvm::AllocaInst* least_ = nullptr;
  llvm::AllocaInst* greatest_ = nullptr;
  bool privateEscapes_ = false;
};

GroupFrame::GroupFrame(GroupFunction& group, const RegionGraph& graph, const CrossingValues& crossing) : group_(group) {
  llvm::Function& function = *group.function;
  llvm::BasicBlock& body = function.getEntryBlock();
  entry_ = llvm::BasicBlock::Create(function.getContext(), "group", &function, &body);
  llvm::IRBuilder<> builder(entry_);
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
      if (crossing.arrayOf(*variable)) continue;
      auto* const copy = llvm::cast<llvm::AllocaInst>(builder.Insert(variable->clone(), variable->getName()));
      private_[variable] = copy;
      privateEscapes_ |= llvm::PointerMayBeCaptured(variable, false);
    }
  }
  for (unsigned region = 0; region < graph.regions().size(); ++region) {
    for (const llvm::Instruction* value : crossing.liveInto(region)) {
      if (crossing.of(*value) != Crossing::once || once_.contains(value)) continue;
      once_[value] = builder.CreateAlloca(value->getType(), nullptr, value->getName() + ".once");
    }
  }
  least_ = builder.CreateAlloca(builder.getInt32Ty(), nullptr, "least");
  greatest_ = builder.CreateAlloca(builder.getInt32Ty(), nullptr, "greatest");
  for (unsigned axis = 0; axis < 3; ++axis) {
    sizes_[axis] = builder.CreateZExt(group.groupSize[axis], builder.getInt64Ty());
  }
  if (crossing.contextBytes() == 0) return;
  llvm::Value* const items = builder.CreateNUWMul(builder.CreateNUWMul(sizes_[0], sizes_[1]), sizes_[2]);
  constexpr std::uint64_t low = abi::groupBlockAlign - 1;
  paddedItems_ = builder.CreateAnd(builder.CreateNUWAdd(items, builder.getInt64(low)), builder.getInt64(~low), "padded");
  const auto addArray = [&](const ContextArray* array) {
    if (!array || array->size == 0 || arrays_.contains(array->offset)) return;
    llvm::Value* const offset = builder.CreateNUWMul(paddedItems_, builder.getInt64(array->offset));
    arrays_[array->offset] = builder.CreateInBoundsGEP(builder.getInt8Ty(), group.context, offset, "array");
  };
  for (const llvm::Instruction& instruction : llvm::instructions(function)) addArray(crossing.arrayOf(instruction));
  addArray(&crossing.waiting());
}

llvm::Value* GroupFrame::element(llvm::IRBuilder<>& builder, const ContextArray& array, llvm::Value* index) const {
  llvm::Type* const unit = llvm::ArrayType::get(builder.getInt8Ty(), array.size);
  return builder.CreateInBoundsGEP(unit, arrays_.at(array.offset), index);
}

/// One copy of one region.
class RegionCopy {
 public:
  RegionCopy(GroupFrame& frame, const RegionGraph& graph, const CrossingValues& crossing, unsigned region, bool tracked);

  /// Emits the items' code. `alone`: one run stands for all items.
  void emit(bool alone);

  [[nodiscard]] llvm::BasicBlock* begin() const { return loop_.before; }
  [[nodiscard]] llvm::BasicBlock* after() const { return loop_.after; }

 private:
  const Region& region() const { return graph_.regions()[number_]; }
  /// Items of this copy record where they go.
  bool records() const { return tracked_ || !region().agrees; }

  void beginItems();
  llvm::Value* entryValue(llvm::Instruction& value);
  llvm::Value* atHand(llvm::Instruction& value);
  void cloneBlocks();
  void finishPhis();
  llvm::Value* wideId(const llvm::Instruction& value) const;
  void finishDebugRecords(llvm::Instruction& instruction);
  void endItems();
  void endItem(llvm::BasicBlock& original, unsigned continuation);
  void keepValues(llvm::IRBuilder<>& builder, llvm::BasicBlock& block, unsigned continuation);
  llvm::SSAUpdater* updaterOf(llvm::Instruction& value);
  void repairValues();
  void skipIdleItems();
  void removeLoop();
  void tagAccesses();
  bool mayBeSharedPrivate(const llvm::Value& pointer) const;
  llvm::Value* loadKept(llvm::IRBuilder<>& builder, llvm::Instruction& value);

  GroupFrame& frame_;
  const RegionGraph& graph_;
  const CrossingValues& crossing_;
  unsigned number_;
  bool tracked_;
  ItemLoop loop_;
  llvm::BasicBlock* run_ = nullptr;  ///< where an item that takes part begins
  llvm::Instruction* runEnd_ = nullptr;
  llvm::PHINode* choice_ = nullptr;
  llvm::ValueToValueMapTy clones_;
  llvm::DenseMap<const llvm::Value*, llvm::Value*> entry_;  ///< values as the region finds them
  std::vector<llvm::BasicBlock*> blocks_;
  std::map<llvm::Instruction*, std::unique_ptr<llvm::SSAUpdater>> updaters_;
};

RegionCopy::RegionCopy(GroupFrame& frame, const RegionGraph& graph, const CrossingValues& crossing, unsigned region,
                       bool tracked)
    : frame_(frame), graph_(graph), crossing_(crossing), number_(region), tracked_(tracked),
      loop_(makeItemLoop(frame.function(), frame.sizes(),
                         (tracked ? "tracked." : "region.") + std::to_string(region))) {}

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
    annotateItemLoop(loop_);
  }
}

void RegionCopy::beginItems() {
  llvm::IRBuilder<> latch(loop_.latch, loop_.latch->begin());
  if (region().next.size() > 1 || records()) {
    choice_ = latch.CreatePHI(latch.getInt32Ty(), 4, "next");
  }
  if (records()) {
    llvm::IRBuilder<> before(loop_.before->getTerminator());
    before.CreateStore(before.getInt32(~0U), frame_.least());
    before.CreateStore(before.getInt32(0), frame_.greatest());
    latch.CreateStore(latch.CreateBinaryIntrinsic(llvm::Intrinsic::umin, latch.CreateLoad(latch.getInt32Ty(), frame_.least()), choice_), frame_.least());
    latch.CreateStore(latch.CreateBinaryIntrinsic(llvm::Intrinsic::umax, latch.CreateLoad(latch.getInt32Ty(), frame_.greatest()), choice_), frame_.greatest());
  } else if (choice_) {
    latch.CreateStore(choice_, frame_.greatest());
  }
  run_ = loop_.item;
  if (tracked_) {
    llvm::IRBuilder<> builder(loop_.item);
    llvm::Value* const place = frame_.element(builder, crossing_.waiting(), loop_.index);
    llvm::Value* const waiting = builder.CreateAlignedLoad(builder.getInt32Ty(), place, llvm::Align(4), "waiting");
    run_ = llvm::BasicBlock::Create(builder.getContext(), "run", &frame_.function(), loop_.latch);
    builder.CreateCondBr(builder.CreateICmpEQ(waiting, builder.getInt32(number_)), run_, loop_.latch);
    choice_->addIncoming(waiting, loop_.item);
  }
  runEnd_ = llvm::IRBuilder<>(run_).CreateUnreachable();  // until the blocks to branch to exist
  for (llvm::Instruction* value : crossing_.liveInto(number_)) entryValue(*value);
}

llvm::Value* RegionCopy::atHand(llvm::Instruction& value) {
  if (const std::optional<unsigned> axis = itemIdAxisOf(value)) return loop_.id[*axis];
  if (llvm::AllocaInst* const variable = frame_.sharedPrivate(value)) return variable;
  llvm::Value*& place = entry_[&value];
  if (!place) {
    llvm::IRBuilder<> builder(runEnd_);
    place = frame_.element(builder, *crossing_.arrayOf(value), loop_.index);
    place->setName(value.getName());
  }
  return place;
}

llvm::Value* RegionCopy::entryValue(llvm::Instruction& value) {
  if (isAtHand(value)) return atHand(value);
  if (llvm::Value* const known = entry_.lookup(&value)) return known;
  llvm::IRBuilder<> builder(runEnd_);
  llvm::Value* made = nullptr;
  if (crossing_.of(value) == Crossing::recomputed) {
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
  const ContextArray& array = *crossing_.arrayOf(value);
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
  for (llvm::Instruction* value : crossing_.liveInto(number_)) {
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
      if (llvm::Value* const id = wideId(instruction)) instruction.replaceAllUsesWith(id);
    }
  }
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
    if (const std::optional<unsigned> continuation = graph_.continuationOf(*original)) endItem(*original, *continuation);
  }
}

void RegionCopy::endItem(llvm::BasicBlock& original, unsigned continuation) {
  auto* const block = llvm::cast<llvm::BasicBlock>(clones_[&original]);
  llvm::IRBuilder<> builder(block->getTerminator());
  if (records()) {
    llvm::Value* const place = frame_.element(builder, crossing_.waiting(), loop_.index);
    builder.CreateAlignedStore(builder.getInt32(continuation), place, llvm::Align(4));
  }
  if (continuation) keepValues(builder, *block, continuation);
}

void RegionCopy::keepValues(llvm::IRBuilder<>& builder, llvm::BasicBlock& block, unsigned continuation) {
  for (llvm::Instruction* value : crossing_.liveInto(continuation)) {
    if (crossing_.of(*value) == Crossing::recomputed || !region().blocks.contains(value->getParent())) continue;
    llvm::SSAUpdater* const updater = updaterOf(*value);
    llvm::Value* current = updater ? updater->GetValueAtEndOfBlock(&block) : &*clones_[value];
    if (current == entry_.lookup(value)) continue;  // still where it was
    if (llvm::AllocaInst* const slot = frame_.onceSlot(*value)) {
      builder.CreateStore(current, slot);
      continue;
    }
    if (current->getType()->isIntegerTy(1)) current = builder.CreateZExt(current, builder.getInt8Ty());
    builder.CreateStore(current, frame_.element(builder, *crossing_.arrayOf(*value), loop_.index));
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
  for (llvm::Instruction* value : crossing_.liveInto(number_)) {
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
      instruction.setMetadata(llvm::LLVMContext::MD_access_group,
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
  for (const Guard& guard : findGuards(graph_, crossing_, number_)) {
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
    branch->getSuccessor(1)->removePredecessor(latch);
    llvm::IRBuilder<>(branch).CreateBr(out);
    branch->eraseFromParent();
    latch = out;
  }
}

class GroupEmitter {
 public:
  GroupEmitter(GroupFunction& group, const RegionGraph& graph, const CrossingValues& crossing,
               const GroupUniformity& uniformity)
      : graph_(graph), crossing_(crossing), uniformity_(uniformity), body_(blocksOf(*group.function)),
        frame_(group, graph, crossing) {}

  void run() {
    const unsigned count = static_cast<unsigned>(graph_.regions().size());
    for (unsigned i = 0; i < count; ++i) plain_.push_back(std::make_unique<RegionCopy>(frame_, graph_, crossing_, i, false));
    if (graph_.diverges()) {
      for (unsigned i = 1; i < count; ++i) tracked_.push_back(std::make_unique<RegionCopy>(frame_, graph_, crossing_, i, true));
    }
    return_ = llvm::BasicBlock::Create(frame_.function().getContext(), "return", &frame_.function());
    llvm::ReturnInst::Create(frame_.function().getContext(), return_);
    for (unsigned i = 0; i < count; ++i) plain_[i]->emit(runsAlone(graph_.regions()[i]));
    for (auto& copy : tracked_) copy->emit(false);
    if (graph_.diverges()) makeDispatch();
    for (unsigned i = 0; i < count; ++i) leave(*plain_[i], graph_.regions()[i]);
    for (auto& copy : tracked_) llvm::IRBuilder<>(copy->after()).CreateBr(dispatch_);
    frame_.enter(*plain_[0]->begin());
    removeBody();
  }

 private:
  static std::vector<llvm::BasicBlock*> blocksOf(llvm::Function& function) {
    std::vector<llvm::BasicBlock*> blocks;
    for (llvm::BasicBlock& block : function) blocks.push_back(&block);
    return blocks;
  }

  /// All items would do the same, and doing it again changes nothing.
  bool runsAlone(const Region& region) const {
    for (const unsigned next : region.next) {
      for (const llvm::Instruction* value : next ? crossing_.liveInto(next) : llvm::ArrayRef<llvm::Instruction*>()) {
        if (crossing_.of(*value) == Crossing::perItem && region.blocks.contains(const_cast<llvm::BasicBlock*>(value->getParent()))) return false;
      }
    }
    return region.agrees && llvm::all_of(region.blocks, [&](const llvm::BasicBlock* block) {
      return !uniformity_.branchDiverges(*block) &&
             llvm::none_of(*block, [](const llvm::Instruction& instruction) { return instruction.mayHaveSideEffects(); });
    });
  }

  void makeDispatch() {
    llvm::Function& function = frame_.function();
    llvm::LLVMContext& context = function.getContext();
    dispatch_ = llvm::BasicBlock::Create(context, "dispatch", &function);
    split_ = llvm::BasicBlock::Create(context, "dispatch.some", &function);
    llvm::BasicBlock* const together = llvm::BasicBlock::Create(context, "dispatch.all", &function);
    const auto count = static_cast<unsigned>(graph_.regions().size());
    llvm::IRBuilder<> builder(dispatch_);
    llvm::Value* const least = builder.CreateLoad(builder.getInt32Ty(), frame_.least());
    llvm::Value* const greatest = builder.CreateLoad(builder.getInt32Ty(), frame_.greatest());
    builder.CreateCondBr(builder.CreateICmpEQ(least, greatest), together, split_);
    // The greatest first: splits made for speed are numbered after barriers, and must be passed by all items that meet
    // them before any item passes the barrier behind.
    for (const bool all : {true, false}) {
      builder.SetInsertPoint(all ? together : split_);
      llvm::Value* const next = builder.CreateLoad(builder.getInt32Ty(), frame_.greatest());
      llvm::SwitchInst* const choice = builder.CreateSwitch(next, return_, count);
      for (unsigned i = 1; i < count; ++i) {
        choice->addCase(builder.getInt32(i), (all ? *plain_[i] : *tracked_[i - 1]).begin());
      }
    }
  }

  void leave(const RegionCopy& copy, const Region& region) {
    llvm::IRBuilder<> builder(copy.after());
    const auto target = [&](unsigned continuation) { return continuation ? plain_[continuation]->begin() : return_; };
    if (region.next.empty()) {  // never ends
      builder.CreateUnreachable();
      return;
    }
    llvm::Value* next = nullptr;
    if (region.next.size() > 1) next = builder.CreateLoad(builder.getInt32Ty(), frame_.greatest());
    if (!region.agrees) {
      llvm::BasicBlock* const together = llvm::BasicBlock::Create(builder.getContext(), "all", &frame_.function());
      llvm::Value* const least = builder.CreateLoad(builder.getInt32Ty(), frame_.least());
      builder.CreateCondBr(builder.CreateICmpEQ(least, next), together, split_);
      builder.SetInsertPoint(together);
    }
    if (!next) {
      builder.CreateBr(target(region.next.front()));
    } else if (region.next.size() == 2) {
      llvm::Value* const second = builder.CreateICmpEQ(next, builder.getInt32(region.next[1]));
      builder.CreateCondBr(second, target(region.next[1]), target(region.next[0]));
    } else {
      llvm::SwitchInst* const choice = builder.CreateSwitch(next, target(region.next.front()));
      for (const unsigned other : llvm::ArrayRef(region.next).drop_front()) {
        choice->addCase(builder.getInt32(other), target(other));
      }
    }
  }

  void removeBody() {
    for (llvm::BasicBlock* block : body_) block->dropAllReferences();
    for (llvm::BasicBlock* block : body_) block->eraseFromParent();
  }

  const RegionGraph& graph_;
  const CrossingValues& crossing_;
  const GroupUniformity& uniformity_;
  std::vector<llvm::BasicBlock*> body_;
  GroupFrame frame_;
  std::vector<std::unique_ptr<RegionCopy>> plain_;
  std::vector<std::unique_ptr<RegionCopy>> tracked_;  // of regions 1…
  llvm::BasicBlock* return_ = nullptr;
  llvm::BasicBlock* dispatch_ = nullptr;
  llvm::BasicBlock* split_ = nullptr;
};

}  // namespace

void emitRegions(GroupFunction& group, const RegionGraph& graph, const CrossingValues& crossing,
                 const GroupUniformity& uniformity) {
  GroupEmitter(group, graph, crossing, uniformity).run();
}

}  // namespace lathe::detail
