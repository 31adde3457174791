// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values without a cost that control flow chooses (conversions, addresses of fields). LLVM 22's StructurizeCFG moves
// such a value out of the block that a choice takes it from, and lets it stand for what an earlier choice left open
// (simplifyHoistedPhis()). A block that is reached in several ways need not have been reached by that one, and then the
// choice yields another value. What depends on a value of its own block is not moved. To be removed with that.
//
//   before: %z = zext i32 %x to i64 …                       b: br label %c
//           c: %r = phi i64 [ %z, %b ], …
//   after:  b: %k = freeze i32 %x    %z.b = zext i32 %k to i64    br label %c
//           c: %r = phi i64 [ %z.b, %b ], …
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

#include "core/lower/legalize/legalize.h"

namespace lathe::detail {
namespace {

bool isMovable(const llvm::Instruction& value, const llvm::BasicBlock& block, const llvm::TargetTransformInfo& costs) {
  if (!llvm::isa<llvm::CastInst, llvm::GetElementPtrInst, llvm::ExtractValueInst, llvm::ExtractElementInst,
                 llvm::InsertElementInst, llvm::UnaryOperator, llvm::BinaryOperator>(value))
    return false;
  if (costs.getInstructionCost(&value, llvm::TargetTransformInfo::TCK_Latency) != 0) return false;
  return value.getParent() != &block || llvm::none_of(value.operands(), [&](const llvm::Use& operand) {
           const auto* const other = llvm::dyn_cast<llvm::Instruction>(operand);
           return other && other->getParent() == &block;
         });
}

/// A copy of `value` in `block` that is not movable, or null where all of it is constant.
llvm::Instruction* boundCopy(llvm::Instruction& value, llvm::BasicBlock& block) {
  llvm::Use* const bound =
      llvm::find_if(value.operands(), [](const llvm::Use& operand) { return !llvm::isa<llvm::Constant>(operand); });
  if (bound == value.op_end()) return nullptr;
  llvm::IRBuilder<> builder(block.getTerminator());
  llvm::Value* const kept = builder.CreateFreeze(bound->get());
  llvm::Instruction* const copy = builder.Insert(value.clone(), value.getName());
  copy->setOperand(bound->getOperandNo(), kept);
  return copy;
}

/// Takes away what lets LLVM drop a `freeze`.
void forgetDefinedValues(llvm::Function& function) {
  for (llvm::Argument& argument : function.args()) {
    for (const auto kind :
         {llvm::Attribute::NoUndef, llvm::Attribute::Dereferenceable, llvm::Attribute::DereferenceableOrNull})
      argument.removeAttr(kind);
  }
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
      call->removeRetAttr(llvm::Attribute::NoUndef);
      if (llvm::Function* const callee = call->getCalledFunction()) callee->removeRetAttr(llvm::Attribute::NoUndef);
    }
    instruction.setMetadata(llvm::LLVMContext::MD_noundef, nullptr);
  }
}

/// Also where a switch is the only way, of which a tree of branches will be several.
bool isReachedInSeveralWays(const llvm::BasicBlock& block) {
  const llvm::BasicBlock* const before = block.getSinglePredecessor();
  return before ? llvm::isa<llvm::SwitchInst>(before->getTerminator()) : block.hasNPredecessorsOrMore(2);
}

}  // namespace

void bindFreeChoices(llvm::Function& function, const llvm::TargetTransformInfo& costs) {
  bool changed = false;
  for (llvm::BasicBlock& block : function) {
    llvm::BasicBlock* const next = block.getSingleSuccessor();
    if (!next || !isReachedInSeveralWays(block)) continue;
    for (llvm::PHINode& choice : next->phis()) {
      auto* const value = llvm::dyn_cast<llvm::Instruction>(choice.getIncomingValueForBlock(&block));
      if (!value || !isMovable(*value, block, costs)) continue;
      llvm::Instruction* const copy = boundCopy(*value, block);
      if (!copy) continue;
      choice.setIncomingValueForBlock(&block, copy);
      if (value->use_empty()) value->eraseFromParent();
      changed = true;
    }
  }
  if (changed) forgetDefinedValues(function);
}

}  // namespace lathe::detail
