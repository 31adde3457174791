// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/group/emit/converged_items.h"

namespace lathe::detail {

llvm::Align maskAlign(const llvm::Type& type) {
  return llvm::Align(type.getIntegerBitWidth() / 8);
}

llvm::Value* convergedOfAll(llvm::IRBuilder<>& builder, llvm::Value& mask, llvm::Value& index, llvm::Value& items,
                            unsigned size) {
  llvm::Type* const type = mask.getType();
  const auto number = [&](std::int64_t value) { return llvm::ConstantInt::getSigned(type, value); };
  llvm::Value* const rest = builder.CreateTrunc(&items, type);
  llvm::Value* const beforeLast = builder.CreateAnd(rest, number(-std::int64_t{size}));
  llvm::Value* const bits = builder.CreateShl(number(1), builder.CreateAnd(rest, number(size - 1)));
  llvm::Value* const last = builder.CreateSub(bits, number(1));
  llvm::Value* const isLast = builder.CreateICmpUGE(builder.CreateTrunc(&index, type), beforeLast);
  const llvm::APInt all = llvm::APInt::getLowBitsSet(type->getIntegerBitWidth(), size);
  llvm::Value* const there = builder.CreateSelect(isLast, last, llvm::ConstantInt::get(type, all));
  return builder.CreateSelect(builder.CreateIsNull(&mask), there, builder.CreateAnd(there, &mask));
}

}  // namespace lathe::detail
