// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/lower/legalize/changed_types.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"

#include <string>

#include "core/lower/globals.h"

namespace lathe::detail {

llvm::Type* ChangedTypes::remapType(llvm::Type* type) {
  if (const auto known = known_.find(type); known != known_.end()) return known->second;
  llvm::Type* const made = make(type);
  known_[type] = made;
  return made;
}

llvm::Type* ChangedTypes::changed(llvm::StructType& before, llvm::ArrayRef<llvm::Type*> elements) {
  return llvm::StructType::get(before.getContext(), elements, before.isPacked());
}

llvm::Type* ChangedTypes::withName(llvm::StructType& before, llvm::ArrayRef<llvm::Type*> elements) {
  if (before.isLiteral()) return llvm::StructType::get(before.getContext(), elements, before.isPacked());
  const std::string name = before.getName().str();
  before.setName("");
  return llvm::StructType::create(before.getContext(), elements, name, before.isPacked());
}

llvm::AttributeList ChangedTypes::remapped(llvm::LLVMContext& context, llvm::AttributeList attributes,
                                           unsigned parameters) {
  for (unsigned i = 0; i < parameters; ++i) {
    for (auto kind = llvm::Attribute::FirstTypeAttr; kind <= llvm::Attribute::LastTypeAttr;
         kind = llvm::Attribute::AttrKind(kind + 1)) {
      const llvm::Attribute set = attributes.getParamAttr(i, kind);
      llvm::Type* const type = set.isValid() ? set.getValueAsType() : nullptr;
      if (type && changes(type))
        attributes = attributes.replaceAttributeTypeAtIndex(context, i + llvm::AttributeList::FirstArgIndex, kind,
                                                            remapType(type));
    }
  }
  return attributes;
}

llvm::GlobalVariable& ChangedTypes::remade(llvm::GlobalVariable& old, unsigned space) {
  return detail::remade(old, remapType(old.getValueType()), space);
}

llvm::Function* ChangedTypes::redeclared(llvm::Function& old) {
  auto* const type = llvm::cast<llvm::FunctionType>(remapType(old.getFunctionType()));
  if (type == old.getFunctionType()) return &old;
  llvm::SmallVector<llvm::Type*> overloads;
  if (!llvm::Intrinsic::getIntrinsicSignature(old.getIntrinsicID(), type, overloads)) return nullptr;
  return llvm::Intrinsic::getOrInsertDeclaration(old.getParent(), old.getIntrinsicID(), overloads);
}

llvm::Type* ChangedTypes::make(llvm::Type* type) {
  if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type))
    return llvm::ArrayType::get(remapType(array->getElementType()), array->getNumElements());
  if (auto* vector = llvm::dyn_cast<llvm::VectorType>(type)) {
    llvm::Type* const element = remapType(vector->getElementType());
    return llvm::VectorType::isValidElementType(element) ? llvm::VectorType::get(element, vector->getElementCount())
                                                         : type;
  }
  if (auto* function = llvm::dyn_cast<llvm::FunctionType>(type)) {
    return llvm::FunctionType::get(remapType(function->getReturnType()), remapAll(function->params()),
                                   function->isVarArg());
  }
  auto* const record = llvm::dyn_cast<llvm::StructType>(type);
  if (!record) return changed(type);
  if (record->isOpaque()) return type;
  const llvm::SmallVector<llvm::Type*> elements = remapAll(record->elements());
  return llvm::ArrayRef(elements) == record->elements() ? type : changed(*record, elements);
}

llvm::SmallVector<llvm::Type*> ChangedTypes::remapAll(llvm::ArrayRef<llvm::Type*> types) {
  llvm::SmallVector<llvm::Type*> out;
  for (llvm::Type* type : types) out.push_back(remapType(type));
  return out;
}

}  // namespace lathe::detail
