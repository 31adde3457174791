// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies of regions, and the branches between them. The kernel's body is deleted at the end.
#include "core/group/emit/region_emitter.h"

#include <memory>
#include <vector>

#include "llvm/IR/Instructions.h"

#include "core/group/analysis/device_calls.h"
#include "core/group/analysis/uniformity.h"
#include "core/group/emit/group_frame.h"
#include "core/group/emit/region_copy.h"
#include "core/group/emit/schedule.h"

namespace lathe::detail {
namespace {

class GroupEmitter {
 public:
  GroupEmitter(GroupFunction& group, const RegionGraph& graph, const LiveAcrossBarriers& live,
               const GroupUniformity& uniformity, bool joined)
      : graph_(graph),
        live_(live),
        uniformity_(uniformity),
        body_(blocksOf(*group.function)),
        frame_(group, graph, live, joined) {}

  void run() {
    const unsigned count = static_cast<unsigned>(graph_.regions().size());
    for (unsigned i = 0; i < count; ++i)
      plain_.push_back(std::make_unique<RegionCopy>(frame_, graph_, live_, i, false));
    if (graph_.diverges()) {
      for (unsigned i = 1; i < count; ++i)
        tracked_.push_back(std::make_unique<RegionCopy>(frame_, graph_, live_, i, true));
    }
    return_ = llvm::BasicBlock::Create(frame_.function().getContext(), "group.end", &frame_.function());
    for (unsigned i = 0; i < count; ++i) plain_[i]->emit(runsAlone(graph_.regions()[i]));
    for (auto& copy : tracked_) copy->emit(false);
    if (graph_.diverges()) makeDispatch();
    for (unsigned i = 0; i < count; ++i) leave(*plain_[i], graph_.regions()[i]);
    for (auto& copy : tracked_) llvm::IRBuilder<>(copy->after()).CreateBr(dispatch_);
    removeBody();
    frame_.close(*plain_[0]->begin(), *return_);
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
      for (const llvm::Instruction* value : next ? live_.liveInto(next) : llvm::ArrayRef<llvm::Instruction*>()) {
        if (live_.of(*value) == LiveRange::perItem &&
            region.blocks.contains(const_cast<llvm::BasicBlock*>(value->getParent())))
          return false;
      }
    }
    return region.agrees && llvm::all_of(region.blocks, [&](const llvm::BasicBlock* block) {
             return !uniformity_.branchDiverges(*block) && !hasEffects(*block);
           });
  }

  void makeDispatch() {
    llvm::Function& function = frame_.function();
    llvm::LLVMContext& context = function.getContext();
    dispatch_ = llvm::BasicBlock::Create(context, "dispatch", &function);
    llvm::BasicBlock* const some = llvm::BasicBlock::Create(context, "dispatch.some", &function);
    llvm::BasicBlock* const all = llvm::BasicBlock::Create(context, "dispatch.all", &function);
    llvm::IRBuilder<> builder(dispatch_);
    if (graph_.isScheduled()) {
      apart_ = dispatch_;
      llvm::Value* const masks = graph_.hasSubgroups()
                                     ? frame_.array(live_.masks())
                                     : llvm::ConstantPointerNull::get(llvm::PointerType::getUnqual(context));
      llvm::Value* const next =
          builder.CreateCall(&scheduleFunction(function, graph_.hasSubgroups() ? frame_.subgroupSize() : 0),
                             {frame_.array(live_.waiting()), masks, frame_.items()}, "next");
      llvm::Value* const region = builder.CreateAnd(next, ~allTogether, "next.region");
      builder.CreateCondBr(builder.CreateIsNull(builder.CreateAnd(next, allTogether)), some, all);
      choose(*all, region, plain_, 0);
      choose(*some, region, tracked_, 1);
      return;
    }
    // Items go the same way, wait at one barrier of the group, or have returned: the greatest continuation is the
    // first's.
    apart_ = some;
    llvm::Value* const least = builder.CreateLoad(builder.getInt32Ty(), frame_.least());
    llvm::Value* const greatest = builder.CreateLoad(builder.getInt32Ty(), frame_.greatest());
    builder.CreateCondBr(builder.CreateICmpEQ(least, greatest), all, some);
    choose(*all, nullptr, plain_, 0);
    choose(*some, nullptr, tracked_, 1);
  }

  /// At the end of `block`, goes to the copy of a region; `next`: null for the greatest continuation noted.
  void choose(llvm::BasicBlock& block, llvm::Value* next, llvm::ArrayRef<std::unique_ptr<RegionCopy>> copies,
              unsigned first) {
    llvm::IRBuilder<> builder(&block);
    if (!next) next = builder.CreateLoad(builder.getInt32Ty(), frame_.greatest());
    const auto count = static_cast<unsigned>(graph_.regions().size());
    llvm::SwitchInst* const choice = builder.CreateSwitch(next, return_, count);
    for (unsigned i = 1; i < count; ++i) choice->addCase(builder.getInt32(i), copies[i - first]->begin());
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
      builder.CreateCondBr(builder.CreateICmpEQ(least, next), together, apart_);
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
  const LiveAcrossBarriers& live_;
  const GroupUniformity& uniformity_;
  std::vector<llvm::BasicBlock*> body_;
  GroupFrame frame_;
  std::vector<std::unique_ptr<RegionCopy>> plain_;
  std::vector<std::unique_ptr<RegionCopy>> tracked_;  // of regions 1…
  llvm::BasicBlock* return_ = nullptr;
  llvm::BasicBlock* dispatch_ = nullptr;
  llvm::BasicBlock* apart_ = nullptr;  ///< where it goes on after items have parted
};

}  // namespace

void emitRegions(GroupFunction& group, const RegionGraph& graph, const LiveAcrossBarriers& live,
                 const GroupUniformity& uniformity, bool joined) {
  GroupEmitter(group, graph, live, uniformity, joined).run();
}

}  // namespace lathe::detail
