// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names come from debug information, which a checked compile has for this; from IR where there is none.
#include "core/sanitizer/sites.h"

#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"

#include "core/support/llvm_bridge.h"

namespace lathe::detail {

std::optional<KnownObject> SiteWriter::identify(llvm::Value& base) const {
  using abi::CheckedKind;
  const llvm::DataLayout& layout = module_.getDataLayout();
  if (auto* const variable = llvm::dyn_cast<llvm::GlobalVariable>(&base)) {
    const std::uint64_t bytes = layout.getTypeAllocSize(variable->getValueType()).getFixedValue();
    if (variable->getAddressSpace() != groupSpace_) {
      if (variable->isDeclaration()) return std::nullopt;
      return KnownObject{CheckedKind::global, bytes};
    }
    if (variable->isDeclaration()) return KnownObject{.kind = CheckedKind::dynamicShared, .sized = false};
    return KnownObject{CheckedKind::shared, bytes};
  }
  if (auto* const local = llvm::dyn_cast<llvm::AllocaInst>(&base)) {
    const auto bytes = local->getAllocationSize(layout);
    if (!bytes || bytes->isScalable()) return std::nullopt;
    return KnownObject{CheckedKind::local, bytes->getFixedValue()};
  }
  auto* const argument = llvm::dyn_cast<llvm::Argument>(&base);
  if (!argument) return std::nullopt;
  if (argument->hasByValAttr())
    return KnownObject{CheckedKind::parameter, layout.getTypeAllocSize(argument->getParamByValType()).getFixedValue()};
  const bool ofKernel =
      llvm::any_of(entries_, [&](const EntryPoint& entry) { return argument->getParent()->getName() == entry.symbol; });
  if (!ofKernel) return std::nullopt;
  return KnownObject{.kind = CheckedKind::argument, .sized = false};
}

std::string SiteWriter::nameOf(llvm::Value& base) const {
  if (const auto* const argument = llvm::dyn_cast<llvm::Argument>(&base)) {
    for (const EntryPoint& entry : entries_) {
      if (argument->getParent()->getName() == entry.symbol &&
          entry.parameters.size() == argument->getParent()->arg_size())
        return entry.parameters[argument->getArgNo()].name;
    }
  }
  if (auto* const variable = llvm::dyn_cast<llvm::GlobalVariable>(&base)) {
    llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> known;
    variable->getDebugInfo(known);
    return known.empty() ? demangled(variable->getName()) : known.front()->getVariable()->getName().str();
  }
  for (const llvm::DbgVariableRecord* record : llvm::findDVRDeclares(&base))
    return record->getVariable()->getName().str();
  return base.getName().str();
}

std::optional<KnownObject> SiteWriter::objectOf(llvm::Value& base) {
  auto out = identify(base);
  if (!out) return out;
  llvm::Constant*& description = objects_[&base];
  if (!description) {
    llvm::LLVMContext& context = module_.getContext();
    llvm::Type* const word = llvm::Type::getInt32Ty(context);
    description = &constant({text(nameOf(base)), llvm::ConstantInt::get(llvm::Type::getInt64Ty(context), out->bytes),
                             llvm::ConstantInt::get(word, static_cast<std::uint32_t>(out->kind)),
                             llvm::ConstantInt::get(word, 0)});
  }
  out->description = description;
  return out;
}

llvm::Constant& SiteWriter::site(const llvm::Instruction& instruction, std::uint32_t does, llvm::Constant* object) {
  llvm::LLVMContext& context = module_.getContext();
  auto* const pointer = llvm::PointerType::get(context, 0);
  llvm::Type* const word = llvm::Type::getInt32Ty(context);
  SourceLocation at = locationOf(instruction);
  if (at.file.empty()) at = locationOf(*instruction.getFunction());
  const auto number = [&](std::uint32_t value) -> llvm::Constant* { return llvm::ConstantInt::get(word, value); };
  return constant({at.file.empty() ? llvm::ConstantPointerNull::get(pointer) : text(at.file), number(at.line),
                   number(at.column), number(does), number(0),
                   object ? object : llvm::ConstantPointerNull::get(pointer)});
}

llvm::Constant* SiteWriter::text(const std::string& text) {
  llvm::Constant*& out = texts_[text];
  if (!out) {
    llvm::Constant* const bytes = llvm::ConstantDataArray::getString(module_.getContext(), text);
    out = new llvm::GlobalVariable(module_, bytes->getType(), true, llvm::GlobalValue::PrivateLinkage, bytes,
                                   "lathe.check.text");
  }
  return out;
}

llvm::GlobalVariable& SiteWriter::constant(llvm::ArrayRef<llvm::Constant*> fields) {
  llvm::Constant* const value = llvm::ConstantStruct::getAnon(module_.getContext(), fields);
  return *new llvm::GlobalVariable(module_, value->getType(), true, llvm::GlobalValue::PrivateLinkage, value,
                                   "lathe.check.site");
}

}  // namespace lathe::detail
