// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/bpf/kernel_types.h"

#include <optional>
#include <string>

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace lathe::dialects::bpf {
namespace {

constexpr llvm::StringLiteral preserved = "lathe.bpf.preserve_access_index";
constexpr llvm::StringLiteral typeTag = "lathe.bpf.btf_type_tag:";
constexpr llvm::StringLiteral declTag = "lathe.bpf.btf_decl_tag:";
constexpr llvm::StringLiteral kernelPointer = "lathe.bpf.kernel_pointer";

class KernelTypes final : public clang::ASTConsumer {
 public:
  void Initialize(clang::ASTContext& context) override { context_ = &context; }

  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    for (clang::Decl* const declaration : group) {
      takeTags(*declaration);
      if (auto* const function = llvm::dyn_cast<clang::FunctionDecl>(declaration)) visit(*function);
    }
    return true;
  }

  void HandleTagDeclDefinition(clang::TagDecl* tag) override {
    auto* const record = llvm::dyn_cast<clang::RecordDecl>(tag);
    if (!record) return;
    const bool isMarked = takeAnnotation(*record, preserved).has_value();
    takeTags(*record);
    for (clang::FieldDecl* const field : record->fields()) takeTags(*field);
    if (isMarked || isDeclaredByLathe(*record)) markRecord(*record);
    if (kernels_.contains(record->getCanonicalDecl())) relocate(*record);
  }

 private:
  /// Removes an annotation, and returns what follows `prefix` in it.
  static std::optional<std::string> takeAnnotation(clang::Decl& declaration, llvm::StringRef prefix) {
    if (!declaration.hasAttrs()) return std::nullopt;
    std::optional<std::string> out;
    llvm::erase_if(declaration.getAttrs(), [&](const clang::Attr* attribute) {
      const auto* const annotation = llvm::dyn_cast<clang::AnnotateAttr>(attribute);
      if (out || !annotation || !annotation->getAnnotation().starts_with(prefix)) return false;
      out = annotation->getAnnotation().drop_front(prefix.size()).str();
      return true;
    });
    if (declaration.getAttrs().empty()) declaration.dropAttrs();
    return out;
  }

  void takeTags(clang::Decl& declaration) {
    while (const auto tag = takeAnnotation(declaration, declTag))
      declaration.addAttr(clang::BTFDeclTagAttr::Create(*context_, *tag));
    auto* const value = llvm::dyn_cast<clang::DeclaratorDecl>(&declaration);
    while (const auto tag = value ? takeAnnotation(declaration, typeTag) : std::nullopt)
      value->setType(tagged(value->getType(), clang::BTFTypeTagAttr::Create(*context_, *tag)));
    if (const auto* const function = llvm::dyn_cast<clang::FunctionDecl>(&declaration)) {
      for (clang::ParmVarDecl* const parameter : function->parameters()) takeTags(*parameter);
    }
  }

  /// A tag stands behind the pointed-to type in BTF: `T tag*`.
  clang::QualType tagged(clang::QualType type, const clang::BTFTypeTagAttr* tag) const {
    if (!type->isPointerType()) return context_->getBTFTagAttributedType(tag, type);
    const clang::QualType pointee = context_->getBTFTagAttributedType(tag, type->getPointeeType());
    return context_->getQualifiedType(context_->getPointerType(pointee), type.getQualifiers());
  }

  void visit(const clang::FunctionDecl& function) {
    if (const auto* const annotation = function.getAttr<clang::AnnotateAttr>();
        annotation && annotation->getAnnotation() == kernelPointer)
      mark(function.getReturnType());
    const auto* const section = function.getAttr<clang::SectionAttr>();
    if (!section) return;
    const llvm::StringRef name = section->getName();
    for (const clang::ParmVarDecl* const parameter : function.parameters()) keepOffsets(parameter->getType());
    if (name == ".ksyms") {
      mark(function.getReturnType());
      for (const clang::ParmVarDecl* const parameter : function.parameters()) mark(parameter->getType());
    }
    if (!name.starts_with("iter/") && !name.starts_with("iter.s/") && name != "netfilter" && name != "?netfilter")
      return;
    // The context itself is what the program's type says, and its members are compared and read again.
    for (const clang::ParmVarDecl* const parameter : function.parameters())
      markPointers(parameter->getType()->getPointeeOrArrayElementType()->getAsRecordDecl());
  }

  /// The kernel takes accesses to a context's members at constant offsets only, also where code joins two of them.
  void keepOffsets(clang::QualType parameter) {
    clang::RecordDecl* const context = parameter->getPointeeOrArrayElementType()->getAsRecordDecl();
    clang::RecordDecl* const record = context ? context->getDefinition() : nullptr;
    if (record && isInSystemHeader(*record) && !record->hasAttr<clang::BPFPreserveStaticOffsetAttr>())
      record->addAttr(clang::BPFPreserveStaticOffsetAttr::CreateImplicit(*context_));
  }

  void markPointers(const clang::RecordDecl* record) {
    const clang::RecordDecl* const definition = record ? record->getDefinition() : nullptr;
    if (!definition) return;
    for (const clang::FieldDecl* const field : definition->fields()) {
      if (field->getType()->isPointerType()) mark(field->getType());
      if (field->isAnonymousStructOrUnion()) markPointers(field->getType()->getAsRecordDecl());
    }
  }

  bool isInSystemHeader(const clang::TagDecl& record) const {
    return context_->getSourceManager().isInSystemHeader(record.getLocation());
  }

  bool isDeclaredByLathe(const clang::RecordDecl& record) const {
    const clang::TagDecl* const first = record.getCanonicalDecl();
    return first != &record && isInSystemHeader(*first) &&
           first->getDeclContext()->getRedeclContext()->isTranslationUnit();
  }

  void mark(clang::QualType type) {
    while (type->isPointerOrReferenceType() || type->isArrayType()) {
      type = type->isArrayType() ? context_->getBaseElementType(type) : type->getPointeeType();
    }
    if (clang::RecordDecl* const record = type->getAsRecordDecl()) markRecord(*record);
  }

  void markRecord(clang::RecordDecl& record) {
    if (!kernels_.insert(record.getCanonicalDecl()).second) return;
    if (clang::RecordDecl* const definition = record.getDefinition()) relocate(*definition);
  }

  void relocate(clang::RecordDecl& record) {
    if (record.isInvalidDecl() || record.hasAttr<clang::BPFPreserveAccessIndexAttr>() || isInSystemHeader(record) ||
        llvm::isa<clang::ClassTemplateSpecializationDecl>(record))
      return;
    record.addAttr(clang::BPFPreserveAccessIndexAttr::CreateImplicit(*context_));
    for (clang::Decl* const part : record.decls()) {
      if (llvm::isa<clang::FieldDecl, clang::IndirectFieldDecl>(part))
        part->addAttr(clang::BPFPreserveAccessIndexAttr::CreateImplicit(*context_));
      if (const auto* const field = llvm::dyn_cast<clang::FieldDecl>(part)) mark(field->getType());
    }
  }

  clang::ASTContext* context_ = nullptr;
  llvm::SmallPtrSet<const clang::TagDecl*, 16> kernels_;
};

}  // namespace

std::unique_ptr<clang::ASTConsumer> kernelTypes() {
  return std::make_unique<KernelTypes>();
}

}  // namespace lathe::dialects::bpf
