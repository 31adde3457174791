// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The comparison of libc++'s layouts with those of libstdc++, and of the classes of a toolkit for which libc++'s stand
// in. Layouts cannot be computed without the other library's headers, so there is a table of names; what it does not
// name is the same only if it has no members, or one. tests/compiler/library_layout_test.cpp compares it with the
// library that the test is compiled against.
#include "core/frontend/clang/library_layout.h"

#include <algorithm>
#include <array>
#include <vector>

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/NestedNameSpecifier.h"
#include "clang/AST/RecordLayout.h"
#include "clang/Basic/SourceManager.h"

namespace lathe::detail {
namespace {

/// A class of namespace std with more than one member, or one that is encoded in its own way.
struct KnownClass {
  std::string_view name;
  bool sameInHost;     ///< the same members at the same offsets in libstdc++
  bool sameInToolkit;  ///< the same in the toolkit's class of that name
  unsigned stored;     ///< of how many of its first template arguments it holds values
};

/// A class that is not listed, or listed as another, is still the same if one value is all it holds.
constexpr KnownClass knownClasses[] = {
    {"array", true, true, 1},
    {"bitset", true, false, 0},  // the toolkit's has words of fewer bits
    {"complex", true, true, 0},
    {"counted_iterator", true, false, 1},
    {"initializer_list", true, true, 0},
    {"iota_view", true, false, 2},
    {"linear_congruential_engine", false, false, 0},  // uint_fast32_t is shorter here
    {"mersenne_twister_engine", false, false, 0},
    {"optional", true, true, 1},
    {"pair", true, true, 2},
    {"partial_ordering", false, false, 0},  // one byte, whose "unordered" is another number
    {"reverse_iterator", false, true, 1},   // libc++'s has a second iterator, from an old draft of C++
    {"shared_ptr", true, false, 0},
    {"slice", true, false, 0},
    {"span", true, true, 0},
    {"subrange", true, false, 2},
    {"subtract_with_carry_engine", false, false, 0},
    {"to_chars_result", true, false, 0},
    {"tuple", false, true, 0},
    {"uniform_int_distribution", true, false, 0},
    {"uniform_real_distribution", true, false, 0},
    {"vector", true, false, 0},
    {"weak_ptr", true, false, 0},
    {"year_month_day", true, false, 0},
};

/// A base or member of a class.
struct Part {
  clang::QualType type;
  std::uint64_t offset;  ///< from the start of the class
  std::string name;      ///< of a member
};

class Comparison {
 public:
  Comparison(const clang::ASTContext& ast, const ToolkitNames& toolkit)
      : ast_(ast), toolkit_(toolkit), policy_(ast.getPrintingPolicy()) {
    policy_.SuppressTagKeyword = true;
  }

  /// `offset`: of the value within the parameter.
  std::optional<UnsharedClass> find(clang::QualType type, std::uint64_t offset, const std::string& place) const {
    if (const auto* const array = ast_.getAsConstantArrayType(type))
      return array->isZeroSize() ? std::nullopt : find(array->getElementType(), offset, place);
    const clang::CXXRecordDecl* const record = definitionOf(type);
    if (!record || isEmpty(*record)) return std::nullopt;
    return isOfLibrary(*record) ? findInLibraryClass(*record, type, offset, place)
                                : findInParts(*record, offset, place);
  }

 private:
  std::uint64_t bytesOf(clang::QualType type) const { return ast_.getTypeInfo(type).Width / 8; }

  static const clang::CXXRecordDecl* definitionOf(clang::QualType type) {
    const auto* const record = type->getAsCXXRecordDecl();
    return record && record->hasDefinition() ? record->getDefinition() : nullptr;
  }

  /// Bases and members that take room, by offset.
  std::vector<Part> partsOf(const clang::CXXRecordDecl& record) const {
    std::vector<Part> out;
    const clang::ASTRecordLayout& layout = ast_.getASTRecordLayout(&record);
    for (const clang::CXXBaseSpecifier& base : record.bases()) {
      const clang::CXXRecordDecl* const decl = definitionOf(base.getType());
      if (!decl || base.isVirtual() || isEmpty(*decl)) continue;
      out.push_back({base.getType(), static_cast<std::uint64_t>(layout.getBaseClassOffset(decl).getQuantity()), {}});
    }
    for (const clang::FieldDecl* const field : record.fields()) {
      const clang::CXXRecordDecl* const decl = definitionOf(field->getType());
      if (decl && isEmpty(*decl)) continue;
      out.push_back({field->getType(), layout.getFieldOffset(field->getFieldIndex()) / 8, field->getNameAsString()});
    }
    std::ranges::stable_sort(out, {}, &Part::offset);
    return out;
  }

  bool isEmpty(const clang::CXXRecordDecl& record) const {
    return record.isEmpty() || (!record.isDynamicClass() && partsOf(record).empty());
  }

  /// Classes of namespace std and what they keep in namespaces and classes of their own.
  bool isOfLibrary(const clang::CXXRecordDecl& record) const {
    if (!ast_.getSourceManager().isInSystemHeader(record.getLocation())) return false;
    for (const clang::DeclContext* scope = record.getDeclContext(); scope; scope = scope->getParent())
      if (scope->isStdNamespace()) return true;
    return false;
  }

  std::optional<UnsharedClass> findInParts(const clang::CXXRecordDecl& record, std::uint64_t offset,
                                           const std::string& place) const {
    const std::vector<Part> parts = partsOf(record);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const Part& part = parts[i];
      const std::string inner = part.name.empty() ? place : place.empty() ? part.name : place + "." + part.name;
      if (auto found = find(part.type, offset + part.offset, inner)) return found;
      // Behind the value of an optional there may be room, which only libc++ lets the next member have.
      const bool entered = i + 1 < parts.size() && parts[i + 1].offset < part.offset + bytesOf(part.type);
      const clang::CXXRecordDecl* const decl = definitionOf(part.type);
      if (entered && !record.isUnion() && decl && isOfLibrary(*decl) && decl->getName() == "optional")
        return unshared(part.type, inner, /*ofToolkit=*/false);
    }
    return std::nullopt;
  }

  std::optional<UnsharedClass> findInLibraryClass(const clang::CXXRecordDecl& record, clang::QualType type,
                                                  std::uint64_t offset, const std::string& place) const {
    const bool ofToolkit = isOfToolkit(type);
    const auto* const known = std::ranges::find(knownClasses, std::string_view(record.getName()), &KnownClass::name);
    if (known == std::end(knownClasses) || !(ofToolkit ? known->sameInToolkit : known->sameInHost)) {
      const clang::QualType only = onlyValueOf(type);
      if (only.isNull() || isEncoded(record.getName())) return unshared(type, place, ofToolkit);
      return find(only, offset, place);
    }
    if (!isSameInstance(record, type, offset, ofToolkit)) return unshared(type, place, ofToolkit);
    for (unsigned i = 0; i < known->stored; ++i) {
      const clang::QualType argument = argumentOf(record, i);
      if (argument.isNull()) continue;
      if (auto found = find(argument, offset, place)) return found;
    }
    return std::nullopt;
  }

  /// One value, but not of the same type or meaning.
  static bool isEncoded(llvm::StringRef name) {
    return name == "partial_ordering" || name == "linear_congruential_engine";
  }

  UnsharedClass unshared(clang::QualType type, const std::string& place, bool ofToolkit) const {
    // As it was written where that tells whose it is.
    const clang::QualType shown = ofToolkit ? type : type.getCanonicalType();
    return {shown.getUnqualifiedType().getAsString(policy_), place, ofToolkit};
  }

  /// What the table's row does not say, because it depends on the arguments.
  bool isSameInstance(const clang::CXXRecordDecl& record, clang::QualType type, std::uint64_t offset,
                      bool ofToolkit) const {
    const clang::QualType first = argumentOf(record, 0);
    if (first.isNull()) return true;
    const llvm::StringRef name = record.getName();
    if (name == "array") {
      const auto& arguments = llvm::cast<clang::ClassTemplateSpecializationDecl>(record).getTemplateArgs();
      return ofToolkit || !arguments[1].getAsIntegral().isZero();
    }
    if (name == "vector") return !first->isBooleanType();
    if (name == "optional") {
      const clang::TypeInfo value = ast_.getTypeInfo(first);
      return ast_.getTypeInfo(type).Width == llvm::alignTo(value.Width + 8, value.Align);
    }
    // The toolkit's are aligned to all of their bytes.
    if (name == "complex" && ofToolkit) return offset % bytesOf(type) == 0;
    return true;
  }

  /// Null if there is none, or if it is no type.
  static clang::QualType argumentOf(const clang::CXXRecordDecl& record, unsigned index) {
    const auto* const instance = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(&record);
    if (!instance || index >= instance->getTemplateArgs().size()) return {};
    const clang::TemplateArgument& argument = instance->getTemplateArgs()[index];
    return argument.getKind() == clang::TemplateArgument::Type ? argument.getAsType() : clang::QualType();
  }

  /// The one value that fills a class of the library, which is not of the library or one that the table knows; null if
  /// there are several, or there is more around it.
  clang::QualType onlyValueOf(clang::QualType type) const {
    const std::uint64_t bytes = bytesOf(type);
    for (bool outermost = true;; outermost = false) {
      if (bytesOf(type) != bytes) return {};
      if (const auto* const atomic = type->getAs<clang::AtomicType>()) {
        type = atomic->getValueType();
        continue;
      }
      const clang::CXXRecordDecl* const record = definitionOf(type);
      if (!record || !isOfLibrary(*record)) return type;
      if (!outermost && std::ranges::find(knownClasses, std::string_view(record->getName()), &KnownClass::name) !=
                            std::end(knownClasses))
        return type;
      const std::vector<Part> parts = partsOf(*record);
      if (record->isUnion() || record->isDynamicClass() || parts.size() != 1) return {};
      type = parts.front().type;
    }
  }

  /// Whether the name that the source wrote is one of the toolkit's. Arguments that were deduced are written nowhere.
  bool isOfToolkit(clang::QualType type) const {
    for (;;) {
      if (const std::optional<bool> written = isWrittenOfToolkit(type)) return *written;
      const clang::QualType next = type.getSingleStepDesugaredType(ast_);
      if (next == type) return toolkit_.included;
      type = next;
    }
  }

  std::optional<bool> isWrittenOfToolkit(clang::QualType type) const {
    const clang::NestedNameSpecifier qualifier = type->getPrefix();
    if (qualifier.getKind() != clang::NestedNameSpecifier::Kind::Namespace) return std::nullopt;
    const clang::DeclContext* scope = qualifier.getAsNamespaceAndPrefix().Namespace->getNamespace();
    if (scope->isStdNamespace()) return false;
    while (scope->getParent() && !scope->getParent()->isTranslationUnit()) scope = scope->getParent();
    const std::string folder = llvm::cast<clang::NamespaceDecl>(scope)->getNameAsString() + "/";
    if (std::ranges::find(toolkit_.prefixes, folder) == toolkit_.prefixes.end()) return std::nullopt;
    return true;
  }

  const clang::ASTContext& ast_;
  const ToolkitNames& toolkit_;
  clang::PrintingPolicy policy_;
};

}  // namespace

std::optional<UnsharedClass> unsharedClass(clang::QualType type, const clang::ASTContext& ast,
                                           const ToolkitNames& toolkit) {
  return Comparison(ast, toolkit).find(type, 0, {});
}

}  // namespace lathe::detail
