// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants as expressions of exactly their value, and variables of the program with their initial bytes.
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Operator.h"

#include "core/emit/text/function_text.h"
#include "core/portable/vocabulary.h"
#include "core/support/llvm_bridge.h"

namespace lathe::detail {
namespace {

std::string numberText(Spelling& spelling, llvm::Type& type, const llvm::APInt& value) {
  if (type.isIntegerTy(1)) return value.isZero() ? "false" : "true";
  const std::string name = spelling.type(type);
  const std::string digits = llvm::toString(value, 10, /*Signed=*/false);
  switch (type.getIntegerBitWidth()) {
    case 32:
      return digits + "u";
    case 64:
      return digits + "ul";
    default:
      return "(" + name + ")" + digits;
  }
}

/// Shortest decimals that round to the value; what has none (infinities, NaN) and what a device may take for zero
/// (denormals) by its bits.
std::string floatText(Spelling& spelling, llvm::Type& type, const llvm::APFloat& value) {
  const std::string name = spelling.type(type);
  const llvm::APInt bits = value.bitcastToAPInt();
  if (type.isHalfTy() && spelling.isStoredOnly(type)) return "(" + name + ")" + llvm::toString(bits, 10, false);
  const bool plain = value.isZero() || (value.isFinite() && !value.isDenormal());
  if (plain && (type.isFloatTy() || type.isDoubleTy())) {
    std::string digits =
        type.isFloatTy() ? fmt::format("{}", value.convertToFloat()) : fmt::format("{}", value.convertToDouble());
    if (digits.find_first_of(".e") == std::string::npos) digits += ".0";
    return digits + (type.isFloatTy() ? "f" : "");
  }
  const auto found = spelling.rules().bits.find(typeKey(type));
  if (found == spelling.rules().bits.end()) {
    spelling.report("this constant of the type " + name, "compute it from others");
    return "0";
  }
  llvm::Type* const number = llvm::IntegerType::get(type.getContext(), bits.getBitWidth());
  return filled(found->second, {{"0", numberText(spelling, *number, bits)}});
}

/// The bytes of a constant in memory; false if an address is among them.
bool collectBytes(const llvm::DataLayout& layout, const llvm::Constant& value, std::uint64_t at,
                  std::vector<unsigned>& out) {
  if (value.isNullValue() || llvm::isa<llvm::UndefValue>(value)) return true;
  llvm::Type* const type = value.getType();
  const auto put = [&](const llvm::APInt& bits) {
    const llvm::APInt whole = bits.zext(llvm::alignTo(bits.getBitWidth(), 8));
    for (unsigned i = 0; i < whole.getBitWidth() / 8; ++i)
      out[at + i] = static_cast<unsigned>(whole.extractBitsAsZExtValue(8, i * 8));
  };
  if (const auto* const number = llvm::dyn_cast<llvm::ConstantInt>(&value); number && !type->isVectorTy()) {
    put(number->getValue());
    return true;
  }
  if (const auto* const number = llvm::dyn_cast<llvm::ConstantFP>(&value); number && !type->isVectorTy()) {
    put(number->getValueAPF().bitcastToAPInt());
    return true;
  }
  const auto* const vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  if (vector && vector->getScalarSizeInBits() % 8 != 0) {  // its elements share bytes
    llvm::Type* const whole = llvm::IntegerType::get(
        type->getContext(), static_cast<unsigned>(vector->getPrimitiveSizeInBits().getFixedValue()));
    auto* const packed = llvm::dyn_cast_or_null<llvm::ConstantInt>(
        llvm::ConstantFoldCastOperand(llvm::Instruction::BitCast, const_cast<llvm::Constant*>(&value), whole, layout));
    if (packed) put(packed->getValue());
    return packed != nullptr;
  }
  if (!type->isAggregateType() && !vector) return false;
  const unsigned count = vector              ? vector->getNumElements()
                         : type->isArrayTy() ? static_cast<unsigned>(type->getArrayNumElements())
                                             : type->getStructNumElements();
  for (unsigned i = 0; i < count; ++i) {
    const llvm::Constant* const element = value.getAggregateElement(i);
    if (!element) return false;
    std::uint64_t offset = 0;
    if (auto* const structure = llvm::dyn_cast<llvm::StructType>(type))
      offset = layout.getStructLayout(structure)->getElementOffset(i).getFixedValue();
    else if (vector)
      offset = layout.getTypeStoreSize(vector->getElementType()).getFixedValue() * i;
    else
      offset = layout.getTypeAllocSize(type->getArrayElementType()).getFixedValue() * i;
    if (!collectBytes(layout, *element, at + offset, out)) return false;
  }
  return true;
}

}  // namespace

std::string variableName(const llvm::GlobalVariable& variable) {
  // The host finds variables by name; those of the program's own get names that nothing else has.
  return variable.hasLocalLinkage() ? "lathe_" + identifier(variable.getName()) : identifier(variable.getName());
}

std::string addressText(Spelling& spelling, const llvm::GlobalVariable& variable) {
  return "((" + spelling.type(*variable.getType()) + ")" + variableName(variable) + ")";
}

std::string variableText(Spelling& spelling, const llvm::GlobalVariable& variable) {
  const AddressSpaces& spaces = spelling.lowering().descriptor.addressSpaces;
  const llvm::DataLayout& layout = spelling.lowering().module->getDataLayout();
  const unsigned space = variable.getAddressSpace();
  std::vector<unsigned> bytes(std::max<std::uint64_t>(layout.getTypeAllocSize(variable.getValueType()), 1));
  spelling.at = nullptr;
  spelling.global = &variable;
  if (variable.hasInitializer() && !collectBytes(layout, *variable.getInitializer(), 0, bytes))
    spelling.report("an address in the initial value of '" + demangled(variable.getName()) + "'",
                    "store it in the kernel");
  while (bytes.size() > 1 && bytes.back() == 0) bytes.pop_back();
  const bool shared = space == spaces.group;
  const std::string_view key = shared ? "shared" : spaces.constantData == space ? "constant" : "variable";
  const llvm::Align align = variable.getAlign().value_or(layout.getPreferredAlign(&variable));
  std::string out = spelling.declaration(
      key,
      "the variable '" + demangled(variable.getName()) + "' of the program" +
          (variable.hasAttribute(attribute::constant) ? ", which has no initial value and no host to fill it," : ""),
      {{"space", spelling.space(space)},
       {"type", spelling.rules().types.at("i8")},
       {"name", variableName(variable)},
       {"bytes", std::to_string(std::max<std::uint64_t>(layout.getTypeAllocSize(variable.getValueType()), 1))},
       {"align", std::to_string(align.value())},
       {"values", fmt::format("{}", fmt::join(bytes, ","))}});
  spelling.global = nullptr;
  return out;
}

std::string constantText(Spelling& spelling, const llvm::Constant& constant) {
  llvm::Type& type = *constant.getType();
  if (const auto* const number = llvm::dyn_cast<llvm::ConstantInt>(&constant))
    return numberText(spelling, type, number->getValue());
  if (const auto* const number = llvm::dyn_cast<llvm::ConstantFP>(&constant))
    return floatText(spelling, type, number->getValueAPF());
  if (const auto* const variable = llvm::dyn_cast<llvm::GlobalVariable>(&constant))
    return addressText(spelling, *variable);
  if (constant.isNullValue() || llvm::isa<llvm::UndefValue>(constant)) {
    if (type.isPointerTy()) return "((" + spelling.type(type) + ")0)";
    if (type.isIntegerTy()) return numberText(spelling, type, llvm::APInt::getZero(type.getIntegerBitWidth()));
    if (type.isFloatingPointTy()) return floatText(spelling, type, llvm::APFloat::getZero(type.getFltSemantics()));
  }
  spelling.report("a constant of this form", "compute it in the kernel");
  return "0";
}

}  // namespace lathe::detail
