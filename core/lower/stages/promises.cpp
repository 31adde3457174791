// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels specialised for their launches.
//
// With --fix n=64 --pointer-align 16:
//
//   before: define void @k(ptr %p, i32 %n)            … icmp slt i32 %i, %n
//   after:  define void @k(ptr align 16 %p, i32 %n)   … icmp slt i32 %i, 64
#include "core/lower/stages/promises.h"

#include <optional>

#include <fmt/format.h>

#include "llvm/ADT/APFloat.h"
#include "llvm/IR/Constants.h"
#include "llvm/Support/MathExtras.h"

#include "core/support/diagnostics.h"
#include "core/support/llvm_bridge.h"
#include "core/support/nearest.h"

namespace lathe::detail {
namespace {

/// A number as a constant of a parameter's type; null if it is none, or none that the type can hold.
llvm::Constant* constantOf(llvm::StringRef text, llvm::Type* type, TypeKind kind) {
  if (type->isFloatingPointTy()) {
    llvm::APFloat value(type->getFltSemantics());
    auto status = value.convertFromString(text, llvm::APFloat::rmNearestTiesToEven);
    if (!status) {
      llvm::consumeError(status.takeError());
      return nullptr;
    }
    return (*status & llvm::APFloat::opOverflow) != 0 ? nullptr : llvm::ConstantFP::get(type->getContext(), value);
  }
  if (!type->isIntegerTy()) return nullptr;
  const unsigned width = type->getIntegerBitWidth();
  if (kind == TypeKind::boolean && (text == "true" || text == "false"))
    return llvm::ConstantInt::get(type, text == "true" ? 1 : 0);
  const bool negative = text.consume_front("-");
  llvm::APInt magnitude;
  if (text.getAsInteger(0, magnitude)) return nullptr;
  const unsigned bits = magnitude.getActiveBits();
  const bool isSigned = kind == TypeKind::signedInteger;
  if (negative && (!isSigned || bits > width || (bits == width && !magnitude.isPowerOf2()))) return nullptr;
  if (!negative && bits > width - (isSigned ? 1 : 0)) return nullptr;
  const llvm::APInt value = magnitude.zextOrTrunc(width);
  return llvm::ConstantInt::get(type, negative ? -value : value);
}

std::uint64_t bitsOf(const llvm::Constant& value) {
  if (const auto* const number = llvm::dyn_cast<llvm::ConstantInt>(&value)) return number->getZExtValue();
  return llvm::cast<llvm::ConstantFP>(value).getValueAPF().bitcastToAPInt().getZExtValue();
}

std::optional<std::size_t> indexOf(llvm::StringRef name, const EntryPoint& entry) {
  std::size_t position = 0;
  if (!name.getAsInteger(10, position))
    return position < entry.parameters.size() ? std::optional(position) : std::nullopt;
  for (std::size_t i = 0; i < entry.parameters.size(); ++i)
    if (name == entry.parameters[i].name) return i;
  return std::nullopt;
}

llvm::Error refused(std::string message, std::string hint) {
  return toLlvm({.code = ErrorCode::InvalidArgument, .message = std::move(message), .hint = std::move(hint)});
}

llvm::Error unknown(const std::string& name, const Lowering& lowering) {
  std::vector<std::string> names;
  for (const EntryPoint& entry : lowering.info.entries)
    for (const Parameter& parameter : entry.parameters)
      if (!llvm::is_contained(names, parameter.name)) names.push_back(parameter.name);
  return refused(fmt::format("no kernel has a parameter '{}' to fix{}", name, didYouMean(name, names)),
                 names.empty() ? "they have none" : fmt::format("they have {}", fmt::join(names, ", ")));
}

}  // namespace

llvm::Error applyPromises(Lowering& lowering) {
  const Promises& promises = lowering.job.options.promises;
  if (promises.pointerAlign != 0 && (!llvm::isPowerOf2_32(promises.pointerAlign) || promises.pointerAlign > 4096)) {
    return refused(fmt::format("pointers cannot be aligned to {} bytes", promises.pointerAlign),
                   "use a power of two up to 4096");
  }
  for (EntryPoint& entry : lowering.info.entries) {
    llvm::Function& kernel = lowering.functionOf(entry);
    entry.pointerAlign = promises.pointerAlign;
    for (llvm::Argument& argument : kernel.args()) {
      if (!argument.getType()->isPointerTy() || argument.hasPassPointeeByValueCopyAttr()) continue;
      if (promises.noAlias) argument.addAttr(llvm::Attribute::NoAlias);
      if (promises.pointerAlign <= argument.getParamAlign().valueOrOne().value()) continue;
      argument.removeAttr(llvm::Attribute::Alignment);
      argument.addAttr(llvm::Attribute::getWithAlignment(kernel.getContext(), llvm::Align(promises.pointerAlign)));
    }
  }
  for (const auto& [name, text] : promises.arguments) {
    bool found = false;
    for (EntryPoint& entry : lowering.info.entries) {
      const auto index = indexOf(name, entry);
      llvm::Function& kernel = lowering.functionOf(entry);
      if (!index) continue;
      found = true;
      Parameter& parameter = entry.parameters[*index];
      // A platform's convention may have split a parameter before it into several.
      const bool isScalar =
          kernel.arg_size() == entry.parameters.size() && parameter.type.size <= sizeof(std::uint64_t);
      llvm::Argument* const argument = isScalar ? kernel.getArg(static_cast<unsigned>(*index)) : nullptr;
      llvm::Constant* const value = argument ? constantOf(text, argument->getType(), parameter.type.kind) : nullptr;
      if (!value) {
        return refused(fmt::format("kernel '{}': parameter '{}' of type '{}' cannot be fixed to '{}'", entry.name,
                                   parameter.name, parameter.type.name, text),
                       "numbers and bools can be fixed, to what their types hold");
      }
      argument->replaceAllUsesWith(value);
      parameter.fixed = {bitsOf(*value)};
    }
    if (!found) return unknown(name, lowering);
  }
  return llvm::Error::success();
}

}  // namespace lathe::detail
