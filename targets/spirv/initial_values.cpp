// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Initial values as LLVM's back end can write them.
#include "initial_values.h"

#include <lathe/sdk/target.h>

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

namespace lathe::targets {
namespace {

/// `constant` with other constants for its parts, which `become` gives; `constant` itself where nothing changes.
llvm::Constant* withParts(llvm::Constant& constant, llvm::function_ref<llvm::Constant*(llvm::Constant&)> become) {
  if (llvm::Constant* const other = become(constant)) return other;
  if (!llvm::isa<llvm::ConstantStruct, llvm::ConstantArray>(constant)) return &constant;
  llvm::SmallVector<llvm::Constant*> parts;
  for (llvm::Use& part : constant.operands())
    parts.push_back(withParts(llvm::cast<llvm::Constant>(*part.get()), become));
  if (llvm::equal(parts, constant.operand_values())) return &constant;
  if (auto* const array = llvm::dyn_cast<llvm::ArrayType>(constant.getType()))
    return llvm::ConstantArray::get(array, parts);
  return llvm::ConstantStruct::get(llvm::cast<llvm::StructType>(constant.getType()), parts);
}

/// The bytes of `value`; null: there are addresses among them.
llvm::Constant* bytesOf(llvm::Constant& value, const llvm::DataLayout& layout) {
  llvm::Type* const byte = llvm::Type::getInt8Ty(value.getContext());
  llvm::SmallVector<std::uint8_t> bytes(layout.getTypeAllocSize(value.getType()).getFixedValue());
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const llvm::APInt offset(layout.getIndexSizeInBits(0), i);
    llvm::Constant* const folded = llvm::ConstantFoldLoadFromConst(&value, byte, offset, layout);
    const auto* const number = llvm::dyn_cast_or_null<llvm::ConstantInt>(folded);
    if (!number && !llvm::isa_and_nonnull<llvm::UndefValue>(folded)) return nullptr;
    if (number) bytes[i] = static_cast<std::uint8_t>(number->getZExtValue());
  }
  return llvm::ConstantDataArray::get(value.getContext(), bytes);
}

}  // namespace

void giveValues(llvm::Module& module) {
  const auto zeros = [](llvm::Constant& part) -> llvm::Constant* {
    return llvm::isa<llvm::UndefValue>(part) ? llvm::Constant::getNullValue(part.getType()) : nullptr;
  };
  for (llvm::GlobalVariable& variable : module.globals()) {
    if (!variable.hasInitializer()) continue;
    llvm::Constant& value = *variable.getInitializer();
    // Group memory has none, and no other variable needs one.
    if (!llvm::isa<llvm::UndefValue>(value) || variable.isConstant()) variable.setInitializer(withParts(value, zeros));
  }
}

llvm::Error addressBytes(llvm::Module& module) {
  const llvm::DataLayout& layout = module.getDataLayout();
  llvm::MapVector<llvm::GlobalVariable*, llvm::GlobalVariable*> flat;
  llvm::Error failed = llvm::Error::success();
  const auto flattened = [&](llvm::GlobalVariable& variable) -> llvm::GlobalVariable* {
    llvm::GlobalVariable*& made = flat[&variable];
    llvm::Constant* const bytes =
        made || !variable.hasInitializer() ? nullptr : bytesOf(*variable.getInitializer(), layout);
    if (!bytes) return made;
    made = new llvm::GlobalVariable(module, bytes->getType(), variable.isConstant(), variable.getLinkage(), bytes, "",
                                    &variable, variable.getThreadLocalMode(), variable.getAddressSpace());
    made->copyAttributesFrom(&variable);
    made->copyMetadata(&variable, 0);
    made->setAlignment(variable.getPointerAlignment(layout));
    return made;
  };
  for (llvm::GlobalVariable& holder : llvm::make_early_inc_range(module.globals())) {
    if (!holder.hasInitializer()) continue;
    const auto place = [&](llvm::Constant& part) -> llvm::Constant* {
      if (!llvm::isa<llvm::ConstantExpr>(part) || !part.getType()->isPointerTy()) return nullptr;
      llvm::APInt offset(layout.getIndexTypeSizeInBits(part.getType()), 0);
      auto* const variable = llvm::dyn_cast<llvm::GlobalVariable>(
          part.stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true));
      if (!variable || offset.isZero()) return nullptr;
      llvm::GlobalVariable* const bytes = flattened(*variable);
      if (!bytes) {
        if (!failed)
          failed = sdk::makeError({.code = ErrorCode::Unsupported,
                                   .message = "an address inside of '" + llvm::demangle(variable->getName()) +
                                              "', which holds addresses itself, in the initial value of '" +
                                              llvm::demangle(holder.getName()) + "'",
                                   .hint = "store it in the kernel",
                                   .stage = "late",
                                   .target = "spirv"});
        return nullptr;
      }
      llvm::Constant* const inside = llvm::ConstantExpr::getGetElementPtr(
          llvm::Type::getInt8Ty(module.getContext()), bytes, llvm::ConstantInt::get(module.getContext(), offset));
      return llvm::ConstantExpr::getPointerBitCastOrAddrSpaceCast(inside, part.getType());
    };
    holder.setInitializer(withParts(*holder.getInitializer(), place));
  }
  for (const auto& [variable, made] : flat) {
    if (!made) continue;
    made->takeName(variable);
    variable->replaceAllUsesWith(made);
    variable->eraseFromParent();
  }
  return failed;
}

}  // namespace lathe::targets
