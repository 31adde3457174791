// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop's node is its own first operand, so that no two loops share one.
#include "core/lower/passes/loops/loop_properties.h"

#include "llvm/ADT/SmallVector.h"

namespace lathe::detail {

llvm::MDNode* loopProperty(llvm::LLVMContext& context, llvm::StringRef name) {
  return llvm::MDNode::get(context, llvm::MDString::get(context, name));
}

llvm::MDNode* loopProperty(llvm::LLVMContext& context, llvm::StringRef name, llvm::Constant& value) {
  return llvm::MDNode::get(context, {llvm::MDString::get(context, name), llvm::ConstantAsMetadata::get(&value)});
}

llvm::MDNode* loopOf(llvm::LLVMContext& context, llvm::ArrayRef<llvm::Metadata*> properties) {
  llvm::SmallVector<llvm::Metadata*, 4> operands = {nullptr};
  operands.append(properties.begin(), properties.end());
  llvm::MDNode* const id = llvm::MDNode::getDistinct(context, operands);
  id->replaceOperandWith(0, id);
  return id;
}

}  // namespace lathe::detail
