// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C's struct layout, over a function's parameters.
#include "core/lower/parameter_block.h"

#include <algorithm>

#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Function.h"
#include "llvm/Support/Alignment.h"

namespace lathe::detail {

ParameterBlock parameterBlockOf(const llvm::Function& kernel) {
  const llvm::DataLayout& layout = kernel.getDataLayout();
  ParameterBlock out;
  llvm::Align blockAlign;
  for (const llvm::Argument& argument : kernel.args()) {
    llvm::Type* const byval = argument.hasByValAttr() ? argument.getParamByValType() : nullptr;
    llvm::Type* const type = byval ? byval : argument.getType();
    llvm::Align align = layout.getABITypeAlign(type);
    if (byval) align = argument.getParamAlign().value_or(align);
    const std::uint64_t offset = llvm::alignTo(out.size, align);
    const std::uint64_t size = layout.getTypeAllocSize(type).getFixedValue();
    out.slots.push_back({offset, size, static_cast<std::uint32_t>(align.value())});
    out.size = offset + size;
    blockAlign = std::max(blockAlign, align);
  }
  out.size = llvm::alignTo(out.size, blockAlign);
  out.align = static_cast<std::uint32_t>(blockAlign.value());
  return out;
}

}  // namespace lathe::detail
