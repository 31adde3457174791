// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Relocated accesses by pointers to members. Clang makes CO-RE accesses of expressions that name members only; the
// debug information of an instance of lathe_bpf_member says which member its template argument is.
//   before: define linkonce_odr ptr @_Z…lathe_bpf_member…(ptr %0) { ret (gep i8, %0, i64 24) }
//   after:  … { ret @llvm.preserve.struct.access.index(ptr %0, 1, 2), !llvm.preserve.access.index !task_struct }
#include "targets/bpf/fields.h"

#include <cstdint>

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsBPF.h"
#include "llvm/IR/Module.h"

namespace lathe::targets {
namespace {

/// The type behind typedefs and qualifiers.
llvm::DIType* plain(llvm::DIType* type) {
  while (auto* const derived = llvm::dyn_cast_or_null<llvm::DIDerivedType>(type)) {
    const unsigned tag = derived->getTag();
    if (tag != llvm::dwarf::DW_TAG_typedef && tag != llvm::dwarf::DW_TAG_const_type &&
        tag != llvm::dwarf::DW_TAG_volatile_type)
      break;
    type = derived->getBaseType();
  }
  return type;
}

class FieldAccess {
 public:
  /// `bits`: where the member begins.
  FieldAccess(llvm::IRBuilder<>& b, std::uint64_t bits, llvm::DIType* type) : b_(b), bits_(bits), type_(plain(type)) {}

  /// The member's address in `object`; null if there is none of this type at that place.
  llvm::Value* of(llvm::Value* object, llvm::DICompositeType* in) {
    const bool isUnion = in->getTag() == llvm::dwarf::DW_TAG_union_type;
    unsigned index = 0;
    for (llvm::DINode* const element : in->getElements()) {
      auto* const member = llvm::dyn_cast_or_null<llvm::DIDerivedType>(element);
      if (!member || member->getTag() != llvm::dwarf::DW_TAG_member || member->isStaticMember()) continue;
      const unsigned at = index++;
      const std::uint64_t begin = member->getOffsetInBits(), size = member->getSizeInBits();
      if (bits_ < begin || (bits_ >= begin + size && size != 0)) continue;
      llvm::DIType* const type = plain(member->getBaseType());
      auto* const inner = llvm::dyn_cast<llvm::DICompositeType>(type);
      if (bits_ == begin && type == type_) return address(object, in, at, begin, isUnion);
      if (!inner || !member->getName().empty()) continue;
      bits_ -= begin;
      if (llvm::Value* const found = of(address(object, in, at, begin, isUnion), inner)) return found;
      bits_ += begin;
    }
    return nullptr;
  }

 private:
  llvm::Value* address(llvm::Value* object, llvm::DICompositeType* in, unsigned index, std::uint64_t bits,
                       bool isUnion) {
    if (isUnion) return b_.CreatePreserveUnionAccessIndex(object, index, in);
    constexpr unsigned byte = 8;
    // A layout with something at the member's place; the number of the member in debug information is what counts.
    llvm::Type* const before = llvm::ArrayType::get(b_.getInt8Ty(), bits / byte);
    return b_.CreatePreserveStructAccessIndex(llvm::StructType::get(before, b_.getInt8Ty()), object, 1, index, in);
  }

  llvm::IRBuilder<>& b_;
  std::uint64_t bits_;
  llvm::DIType* type_;
};

void makeAccess(llvm::Function& function, llvm::DISubprogram& source, bool isInfo) {
  const llvm::DITemplateParameterArray arguments = source.getTemplateParams();
  if (arguments.size() < (isInfo ? 2U : 1U)) return;
  const auto valueOf = [&](unsigned i) -> const llvm::ConstantInt* {
    const auto* const argument = llvm::dyn_cast<llvm::DITemplateValueParameter>(arguments[i]);
    const auto* const value =
        argument ? llvm::dyn_cast_or_null<llvm::ConstantAsMetadata>(argument->getValue()) : nullptr;
    return value ? llvm::dyn_cast<llvm::ConstantInt>(value->getValue()) : nullptr;
  };
  const auto* const pointer = llvm::dyn_cast_or_null<llvm::DIDerivedType>(arguments[0]->getType());
  if (!pointer || pointer->getTag() != llvm::dwarf::DW_TAG_ptr_to_member_type) return;
  auto* const object = llvm::dyn_cast_or_null<llvm::DICompositeType>(pointer->getClassType());
  const llvm::ConstantInt* const offset = valueOf(0);
  if (!object || !offset) return;

  llvm::Module& module = *function.getParent();
  const auto linkage = function.getLinkage();
  function.deleteBody();
  function.setLinkage(linkage);
  function.setSubprogram(&source);
  source.replaceRetainedNodes(llvm::MDTuple::get(module.getContext(), {}));
  llvm::IRBuilder<> b(llvm::BasicBlock::Create(module.getContext(), "", &function));
  b.SetCurrentDebugLocation(llvm::DILocation::get(module.getContext(), source.getLine(), 0, &source));
  constexpr unsigned byte = 8;
  llvm::Value* const base =
      isInfo ? llvm::ConstantPointerNull::get(b.getPtrTy()) : llvm::cast<llvm::Value>(function.getArg(0));
  llvm::Value* result = FieldAccess(b, offset->getZExtValue() * byte, pointer->getBaseType()).of(base, object);
  if (!result) result = b.CreateConstGEP1_64(b.getInt8Ty(), base, offset->getZExtValue());
  if (isInfo) {
    const llvm::ConstantInt* const kind = valueOf(1);
    result = b.CreateIntrinsic(llvm::Intrinsic::bpf_preserve_field_info, {b.getPtrTy()},
                               {result, b.getInt64(kind ? kind->getZExtValue() : 0)});
  }
  b.CreateRet(result);
  function.removeFnAttr(llvm::Attribute::NoInline);
  function.addFnAttr(llvm::Attribute::AlwaysInline);
}

}  // namespace

void makeFieldAccesses(llvm::Module& module) {
  for (llvm::Function& function : module) {
    llvm::DISubprogram* const source = function.getSubprogram();
    if (!source || function.isDeclaration()) continue;
    const llvm::StringRef name = source->getName();
    if (name.starts_with("lathe_bpf_member<"))
      makeAccess(function, *source, false);
    else if (name.starts_with("lathe_bpf_member_info<"))
      makeAccess(function, *source, true);
  }
}

}  // namespace lathe::targets
