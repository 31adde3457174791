// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types of the operands of asm statements.
#include "dialects/cuda/ptx/operand_types.h"

#include <string>

#include "llvm/IR/InlineAsm.h"

#include <lathe/sdk/portable_ir.h>

namespace lathe::dialects::ptx {
namespace {

struct Register {
  llvm::StringLiteral constraint;
  unsigned bits;
  bool isFloat;
  llvm::StringLiteral name;
};
constexpr Register registers[] = {{"h", 16, false, "integers of 16 bits"},
                                  {"r", 32, false, "integers of 32 bits"},
                                  {"l", 64, false, "integers of 64 bits"},
                                  {"q", 128, false, "integers of 128 bits"},
                                  {"f", 32, true, "floats"},
                                  {"d", 64, true, "doubles"}};

/// The register of a constraint; null: it has no type of its own.
const Register* registerOf(const llvm::InlineAsm::ConstraintInfo& constraint) {
  if (constraint.isIndirect || constraint.Codes.size() != 1) return nullptr;
  const auto* const found = llvm::find_if(
      registers, [&](const Register& one) { return llvm::StringRef(constraint.Codes.front()) == one.constraint; });
  return found == std::end(registers) ? nullptr : found;
}

bool fits(const llvm::Type& type, const Register& kind) {
  if (type.isPointerTy()) return !kind.isFloat && kind.bits == 64;
  return kind.isFloat == type.isFloatingPointTy() && type.getPrimitiveSizeInBits() == kind.bits;
}

std::string nameOf(const llvm::Type& type) {
  if (type.isPointerTy()) return "an address";
  if (type.isFloatTy()) return "a float";
  if (type.isDoubleTy()) return "a double";
  if (type.isIntegerTy(1)) return "a truth value";
  const std::string bits = std::to_string(type.getPrimitiveSizeInBits().getFixedValue()) + " bits";
  return (type.isIntegerTy() ? "an integer of " : "a value of ") + bits;
}

}  // namespace

llvm::SmallVector<llvm::Type*> resultTypes(const llvm::CallInst& statement) {
  llvm::Type* const type = statement.getType();
  if (type->isVoidTy()) return {};
  if (auto* const several = llvm::dyn_cast<llvm::StructType>(type))
    return llvm::SmallVector<llvm::Type*>(several->elements());
  return {type};
}

void checkOperandTypes(llvm::CallInst& statement) {
  const auto& text = *llvm::cast<llvm::InlineAsm>(statement.getCalledOperand());
  const llvm::SmallVector<llvm::Type*> results = resultTypes(statement);
  llvm::SmallVector<const Register*> outputs;
  unsigned inputs = 0;
  for (const llvm::InlineAsm::ConstraintInfo& constraint : text.ParseConstraints()) {
    const Register* kind = registerOf(constraint);
    const llvm::Type* type = nullptr;
    const auto number = outputs.size() + inputs;
    if (constraint.Type == llvm::InlineAsm::isOutput) {
      if (constraint.isIndirect) return;  // an operand in memory is none to PTX
      type = results[outputs.size()];
      outputs.push_back(kind);
    } else if (constraint.Type == llvm::InlineAsm::isInput) {
      type = statement.getArgOperand(inputs++)->getType();
      unsigned tied = 0;
      if (constraint.Codes.size() == 1 && !llvm::StringRef(constraint.Codes.front()).getAsInteger(10, tied) &&
          tied < outputs.size())
        kind = outputs[tied];
    }
    if (!kind || fits(*type, *kind)) continue;
    const auto add = [&](const char* name, const std::string& what) {
      statement.addFnAttr(llvm::Attribute::get(statement.getContext(), name, what));
    };
    add(sdk::attribute::assemblyRefusal, "operand " + std::to_string(number) + " of inline PTX is " + nameOf(*type) +
                                             ", where its constraint \"" + kind->constraint.str() + "\" is for " +
                                             kind->name.str());
    add(sdk::attribute::assemblyHint,
        "convert it, or give it the constraint of its type: \"h\", \"r\", \"l\" or \"q\" for integers of 16, 32, 64 or "
        "128 bits, \"f\" for float, \"d\" for double");
    return;
  }
}

}  // namespace lathe::dialects::ptx
