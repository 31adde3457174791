// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types that mention a type which a module is not to have any more, with another in its place.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Attributes.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace lathe::detail {

/// For LLVM's value mapper: arrays, vectors, functions and structures are made anew of what their parts become.
class ChangedTypes : public llvm::ValueMapTypeRemapper {
 public:
  llvm::Type* remapType(llvm::Type* type) final;
  bool changes(llvm::Type* type) { return remapType(type) != type; }

  /// `attributes` of a function or call, with the types that those of its parameters name.
  llvm::AttributeList remapped(llvm::LLVMContext& context, llvm::AttributeList attributes, unsigned parameters);
  /// A variable like `old`, in `space`, which has its name and no initial value; the uses stay `old`'s.
  llvm::GlobalVariable& remade(llvm::GlobalVariable& old, unsigned space);
  /// The declaration of the same intrinsic, `old` itself where no type changes. Null: it has no such form.
  llvm::Function* redeclared(llvm::Function& old);

 protected:
  /// What a type without parts becomes: itself where it stays.
  virtual llvm::Type* changed(llvm::Type* type) = 0;
  /// `before` with other elements: a structure without a name.
  virtual llvm::Type* changed(llvm::StructType& before, llvm::ArrayRef<llvm::Type*> elements);
  /// The same, but a named structure hands its name on.
  static llvm::Type* withName(llvm::StructType& before, llvm::ArrayRef<llvm::Type*> elements);

 private:
  llvm::Type* make(llvm::Type* type);
  llvm::SmallVector<llvm::Type*> remapAll(llvm::ArrayRef<llvm::Type*> types);

  llvm::DenseMap<llvm::Type*, llvm::Type*> known_;
};

}  // namespace lathe::detail
