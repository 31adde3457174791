// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C's struct layout, over a function's parameters.
#include "core/lower/abi/parameter_block.h"

#include <algorithm>

#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Function.h"
#include "llvm/Support/Alignment.h"

#include "core/lower/lowering.h"
#include "core/portable/vocabulary.h"
#include "core/support/llvm_bridge.h"

namespace lathe::detail {
namespace {

/// Bytes of the parameters of `kernel` behind those that the entry lists.
std::uint64_t bytesBehind(const EntryPoint& entry, const llvm::Function& kernel) {
  std::uint64_t out = 0;
  for (const llvm::Argument& argument : llvm::drop_begin(kernel.args(), entry.parameters.size() + entry.hidden.size()))
    out += kernel.getDataLayout().getTypeAllocSize(argument.getType()).getFixedValue();
  return out;
}

}  // namespace

ParameterBlock parameterBlockOf(const llvm::Function& kernel, std::size_t count) {
  const llvm::DataLayout& layout = kernel.getDataLayout();
  ParameterBlock out;
  llvm::Align blockAlign;
  for (const llvm::Argument& argument : llvm::make_range(kernel.arg_begin(), kernel.arg_begin() + count)) {
    const bool inBlock = argument.hasByValAttr() && !argument.hasAttribute(attribute::byReference);
    llvm::Type* const byval = inBlock ? argument.getParamByValType() : nullptr;
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

void passLargeByReference(EntryPoint& entry, llvm::Function& kernel, const KernelAbi& abi) {
  if (!abi.largeByReference) return;
  const std::size_t listed = entry.parameters.size() + entry.hidden.size();
  const auto bytesOf = [&](const llvm::Argument& argument) {
    return kernel.getDataLayout().getTypeAllocSize(argument.getParamByValType()).getFixedValue();
  };
  while (parameterBlockOf(kernel, listed).size + bytesBehind(entry, kernel) > abi.parameterBytes) {
    llvm::Argument* largest = nullptr;
    for (llvm::Argument& argument :
         llvm::make_range(kernel.arg_begin(), kernel.arg_begin() + entry.parameters.size())) {
      if (!argument.hasByValAttr() || argument.hasAttribute(attribute::byReference)) continue;
      if (!largest || bytesOf(argument) > bytesOf(*largest)) largest = &argument;
    }
    // An address in place of what is no larger gains nothing.
    if (!largest || bytesOf(*largest) <= kernel.getDataLayout().getTypeAllocSize(largest->getType())) return;
    largest->addAttr(llvm::Attribute::get(kernel.getContext(), attribute::byReference));
    entry.parameters[largest->getArgNo()].byReference = true;
  }
}

void checkParameterBytes(const EntryPoint& entry, const llvm::Function& kernel, Lowering& lowering) {
  const std::uint64_t limit = lowering.descriptor.kernel.parameterBytes;
  const std::uint64_t hidden = bytesBehind(entry, kernel);
  const std::uint64_t bytes = entry.parameterBytes + hidden;
  if (bytes <= limit || entry.parameters.empty()) return;
  const Parameter* largest = &entry.parameters.front();
  const Parameter* crossing = nullptr;
  for (const Parameter& parameter : entry.parameters) {
    if (parameter.type.size > largest->type.size) largest = &parameter;
    if (!crossing && parameter.offset + parameter.type.size > limit) crossing = &parameter;
  }
  Diagnostic& finding = reportKernel(lowering, ErrorCode::ParametersTooLarge, kernel,
                                     "kernel '" + entry.name + "' takes " + std::to_string(bytes) +
                                         " bytes of parameters, " + lowering.descriptor.name + ":" + lowering.arch +
                                         " passes at most " + std::to_string(limit) + "; '" + largest->name + "' (" +
                                         largest->type.name + ") is " + std::to_string(largest->type.size) + " bytes",
                                     "put it into device memory and pass a pointer");
  if (crossing && crossing != largest) {
    finding.notes.push_back({"parameter '" + crossing->name + "' is the first that does not fit, at offset " +
                                 std::to_string(crossing->offset),
                             {},
                             {}});
  }
  if (hidden != 0)
    finding.notes.push_back({std::to_string(hidden) + " bytes are for launch-sized shared memory", {}, {}});
}

}  // namespace lathe::detail
