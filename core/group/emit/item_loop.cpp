// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds the nest and its metadata.
#include "core/group/emit/item_loop.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

#include "core/lower/passes/loops/loop_properties.h"

namespace lathe::detail {

ItemLoop makeItemLoop(llvm::Function& function, const std::array<llvm::Value*, 3>& sizes, const llvm::Twine& name) {
  llvm::LLVMContext& context = function.getContext();
  const auto block = [&](const llvm::Twine& suffix) {
    return llvm::BasicBlock::Create(context, name + suffix, &function);
  };
  ItemLoop loop;
  loop.before = block(".before");
  const std::array heads = {block(".z"), block(".y"), block(".item")};
  loop.row = heads[1];
  loop.item = heads[2];
  loop.latch = block(".latch");
  const std::array latches = {block(".z.latch"), block(".y.latch"), loop.latch};
  loop.after = block(".after");

  llvm::IRBuilder<> builder(loop.before);
  llvm::Value* index = builder.getInt64(0);
  for (unsigned depth = 0; depth < 3; ++depth) {
    const unsigned axis = 2 - depth;
    llvm::BasicBlock* const outer = builder.GetInsertBlock();
    builder.CreateBr(heads[depth]);
    builder.SetInsertPoint(heads[depth]);
    llvm::IRBuilder<> end(latches[depth]);
    llvm::BasicBlock* const next = depth == 0 ? loop.after : latches[depth - 1];
    const auto* const size = llvm::dyn_cast<llvm::ConstantInt>(sizes[axis]);
    if (axis != 0 && size && size->isOne()) {
      loop.wide[axis] = builder.getInt64(0);
      loop.id[axis] = builder.getInt32(0);
      if (depth == 0) index = loop.wide[axis];
      end.CreateBr(next);
      continue;
    }
    llvm::PHINode* const counter = builder.CreatePHI(builder.getInt64Ty(), 2, axis == 0 ? "x" : axis == 1 ? "y" : "z");
    counter->addIncoming(builder.getInt64(0), outer);
    loop.wide[axis] = counter;
    loop.id[axis] = builder.CreateTrunc(counter, builder.getInt32Ty(), counter->getName() + ".id", true, true);
    index = depth == 0 ? counter : builder.CreateNUWAdd(builder.CreateNUWMul(index, sizes[axis]), counter);

    llvm::Value* const step = end.CreateAdd(counter, end.getInt64(1), counter->getName() + ".next", true, true);
    counter->addIncoming(step, latches[depth]);
    llvm::Instruction* const again = end.CreateCondBr(end.CreateICmpEQ(step, sizes[axis]), next, heads[depth]);
    // Of an axis that most kernels do not use: its copies would be most of their code.
    if (axis != 0 && !size)
      again->setMetadata(llvm::LLVMContext::MD_loop,
                         loopOf(context, {loopProperty(context, "llvm.loop.unroll.disable")}));
  }
  loop.index = index;
  loop.accesses = llvm::MDNode::getDistinct(context, {});
  return loop;
}

void setItemRange(const ItemLoop& loop, llvm::Value& low, llvm::Value& high) {
  auto* const latch = llvm::cast<llvm::BranchInst>(loop.latch->getTerminator());
  llvm::cast<llvm::ICmpInst>(latch->getCondition())->setOperand(1, &high);
  llvm::cast<llvm::PHINode>(loop.item->front()).setIncomingValueForBlock(loop.row, &low);
  llvm::Instruction* const enter = loop.row->getTerminator();
  llvm::IRBuilder<> builder(enter);
  builder.CreateCondBr(builder.CreateICmpSLT(&low, &high), loop.item, latch->getSuccessor(0));
  enter->eraseFromParent();
}

void annotateItemLoop(const ItemLoop& loop, bool vectorise) {
  llvm::LLVMContext& context = loop.latch->getContext();
  llvm::SmallVector<llvm::Metadata*, 2> properties;
  if (vectorise) {
    properties.push_back(
        llvm::MDNode::get(context, {llvm::MDString::get(context, "llvm.loop.parallel_accesses"), loop.accesses}));
    // Rows of a group are often one vector long: interleaved vectors would miss them.
    llvm::Constant& one = *llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), 1);
    properties.push_back(loopProperty(context, "llvm.loop.interleave.count", one));
  } else {
    properties.push_back(loopProperty(context, "llvm.loop.vectorize.enable", *llvm::ConstantInt::getFalse(context)));
    properties.push_back(loopProperty(context, "llvm.loop.unroll.disable"));
  }
  loop.latch->getTerminator()->setMetadata(llvm::LLVMContext::MD_loop, loopOf(context, properties));
}

}  // namespace lathe::detail
