// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernel descriptions: from the AST, from IR, and to and from metadata.
#include "core/frontend/entry_layout.h"

#include <optional>

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/QualTypeNames.h"
#include "clang/AST/RecordLayout.h"
#include "clang/Basic/TargetInfo.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"

#include "core/image/type_json.h"

namespace lathe::detail {
namespace {

using Json = OrderedJson;

class TypeDescriber {
 public:
  explicit TypeDescriber(const clang::ASTContext& ast) : ast_(ast), policy_(ast.getPrintingPolicy()) {
    policy_.SuppressTagKeyword = true;
    policy_.AnonymousTagLocations = false;  // the image does not depend on where the source lies
  }

  /// `pointers`: how many levels of pointees to look through; records that point to themselves end there.
  TypeLayout describe(clang::QualType type, unsigned pointers) const {
    TypeLayout out;
    const clang::QualType canonical = type.getCanonicalType().getUnqualifiedType();
    // A structure's name means the same outside of the kernel's namespace, for headers that are made of it.
    out.name = canonical->isRecordType() ? clang::TypeName::getFullyQualifiedName(type, ast_, policy_)
                                         : type.getAsString(policy_);
    if (canonical->isReferenceType()) {
      out.kind = TypeKind::pointer;
      const clang::TypeInfo pointer = ast_.getTypeInfo(ast_.VoidPtrTy);
      out.size = pointer.Width / 8;
      out.align = pointer.Align / 8;
      addPointee(out, canonical->getPointeeType(), pointers);
      return out;
    }
    if (canonical->isIncompleteType() || canonical->isFunctionType() || canonical->isDependentType()) return out;
    const clang::TypeInfo info = ast_.getTypeInfo(canonical);
    out.size = info.Width / 8;
    out.align = info.Align / 8;
    fill(out, canonical, pointers);
    return out;
  }

 private:
  void addPointee(TypeLayout& out, clang::QualType pointee, unsigned pointers) const {
    if (pointers == 0) {
      TypeLayout opaque;
      opaque.name = pointee.getAsString(policy_);
      out.element.push_back(std::move(opaque));
    } else {
      out.element.push_back(describe(pointee, pointers - 1));
    }
  }

  void fill(TypeLayout& out, clang::QualType type, unsigned pointers) const {
    if (const auto* enumeration = type->getAs<clang::EnumType>()) {
      const clang::EnumDecl& definition = *enumeration->getDecl()->getDefinitionOrSelf();
      fill(out, definition.getIntegerType().getCanonicalType(), pointers);
      if (!isInteger(out)) return;
      for (const clang::EnumConstantDecl* const one : definition.enumerators())
        out.fields.push_back({one->getNameAsString(), one->getInitVal().extOrTrunc(64).getZExtValue(), {}});
      return;
    }
    if (type->isBooleanType()) {
      out.kind = TypeKind::boolean;
    } else if (type->isBFloat16Type()) {
      out.kind = TypeKind::bfloat;
    } else if (type->isRealFloatingType()) {
      out.kind = TypeKind::floating;
    } else if (type->isIntegerType()) {
      out.kind = type->isSignedIntegerType() ? TypeKind::signedInteger : TypeKind::unsignedInteger;
    } else if (type->isPointerType()) {
      out.kind = TypeKind::pointer;
      addPointee(out, type->getPointeeType(), pointers);
    } else if (const auto* array = ast_.getAsConstantArrayType(type)) {
      out.kind = TypeKind::array;
      out.count = array->getZExtSize();
      out.element.push_back(describe(array->getElementType(), pointers));
    } else if (const auto* vector = type->getAs<clang::VectorType>()) {
      out.kind = TypeKind::vector;
      out.count = vector->getNumElements();
      out.element.push_back(describe(vector->getElementType(), pointers));
    } else if (const auto* record = type->getAsRecordDecl()) {
      out.kind = TypeKind::record;
      fillRecord(out, *record, pointers);
    }
  }

  /// The kind of the one member of a record that a dialect's headers have instead of the compiler's 16-bit
  /// floating-point type, whose bits the member holds.
  static std::optional<TypeKind> smallFloat(const clang::RecordDecl& record) {
    const auto* note = record.getAttr<clang::AnnotateAttr>();
    if (!note) return std::nullopt;
    if (note->getAnnotation() == "lathe.half") return TypeKind::floating;
    if (note->getAnnotation() == "lathe.bfloat16") return TypeKind::bfloat;
    return std::nullopt;
  }

  static bool hasNote(const clang::Decl& declaration, llvm::StringRef text) {
    return llvm::any_of(declaration.specific_attrs<clang::AnnotateAttr>(),
                        [&](const clang::AnnotateAttr* note) { return note->getAnnotation() == text; });
  }

  /// Puts what unnamed members hold in their place.
  static std::vector<TypeLayout::Field> withoutUnnamed(std::vector<TypeLayout::Field> fields) {
    std::vector<TypeLayout::Field> out;
    for (TypeLayout::Field& field : fields) {
      if (!field.name.empty() || field.type.kind != TypeKind::record) {
        out.push_back(std::move(field));
        continue;
      }
      for (TypeLayout::Field& inner : withoutUnnamed(std::move(field.type.fields))) {
        inner.offset += field.offset;
        out.push_back(std::move(inner));
      }
    }
    return out;
  }

  void fillRecord(TypeLayout& out, const clang::RecordDecl& record, unsigned pointers) const {
    const clang::ASTRecordLayout& layout = ast_.getASTRecordLayout(&record);
    if (const auto* cxx = llvm::dyn_cast<clang::CXXRecordDecl>(&record)) {
      for (const clang::CXXBaseSpecifier& base : cxx->bases()) {
        const auto* decl = base.getType()->getAsCXXRecordDecl();
        if (!decl || decl->isEmpty() || base.isVirtual()) continue;
        out.fields.push_back({"", static_cast<std::uint64_t>(layout.getBaseClassOffset(decl).getQuantity()),
                              describe(base.getType(), pointers)});
      }
    }
    for (const clang::FieldDecl* field : record.fields()) {
      if (hasNote(*field, "lathe.alias")) continue;  // the same bytes by another name
      const std::uint64_t bit = layout.getFieldOffset(field->getFieldIndex());
      TypeLayout::Field member{field->getNameAsString(), bit / 8, describe(field->getType(), pointers)};
      if (field->isBitField()) {
        // Big-endian processors count bits from the other end: there they are bytes of the whole only.
        if (field->isUnnamedBitField() || ast_.getTargetInfo().isBigEndian()) continue;
        member.type = bitField(std::move(member.type), field->getBitWidthValue(), static_cast<std::uint32_t>(bit % 8));
      }
      out.fields.push_back(std::move(member));
    }
    // A type whose bases and unions are a header's way to make one record with these members.
    if (hasNote(record, "lathe.components")) out.fields = withoutUnnamed(std::move(out.fields));
    if (const auto kind = smallFloat(record); kind && out.fields.size() == 1) {
      TypeLayout& bits = out.fields.front().type;
      bits.kind = *kind;
      bits.name = *kind == TypeKind::bfloat ? "__bf16" : "_Float16";
    }
  }

  const clang::ASTContext& ast_;
  clang::PrintingPolicy policy_;
};

TypeLayout layoutOfIr(const llvm::Type& type, const llvm::DataLayout& layout) {
  auto* const mutableType = const_cast<llvm::Type*>(&type);  // DataLayout's interface takes no const types
  TypeLayout out;
  llvm::raw_string_ostream(out.name) << type;
  if (!mutableType->isSized()) return out;
  out.size = layout.getTypeAllocSize(mutableType).getFixedValue();
  out.align = static_cast<std::uint32_t>(layout.getABITypeAlign(mutableType).value());
  if (type.isIntegerTy(1)) {
    out.kind = TypeKind::boolean;
  } else if (type.isIntegerTy()) {
    out.kind = TypeKind::signedInteger;  // IR does not say; bind-time checks take either sign
  } else if (type.isBFloatTy()) {
    out.kind = TypeKind::bfloat;
  } else if (type.isFloatingPointTy()) {
    out.kind = TypeKind::floating;
  } else if (type.isPointerTy()) {
    out.kind = TypeKind::pointer;
    out.element.emplace_back();
  } else if (const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(&type)) {
    out.kind = TypeKind::vector;
    out.count = vector->getNumElements();
    out.element.push_back(layoutOfIr(*vector->getElementType(), layout));
  } else if (const auto* array = llvm::dyn_cast<llvm::ArrayType>(&type)) {
    out.kind = TypeKind::array;
    out.count = array->getNumElements();
    out.element.push_back(layoutOfIr(*array->getElementType(), layout));
  } else if (auto* record = llvm::dyn_cast<llvm::StructType>(mutableType)) {
    out.kind = TypeKind::record;
    for (unsigned i = 0; i < record->getNumElements(); ++i) {
      out.fields.push_back({std::to_string(i), layout.getStructLayout(record)->getElementOffset(i),
                            layoutOfIr(*record->getElementType(i), layout)});
    }
  }
  return out;
}

/// LLVM's demangler calls itself for each level of a type, and a name of this length has at most one for each letter.
constexpr std::size_t mostMangled = std::size_t{1} << 14;

/// "ns::saxpy<float>" of "_ZN2ns5saxpyIfEEvi…".
std::string readableName(llvm::StringRef symbol) {
  const std::string mangled = symbol.str();
  if (mangled.size() > mostMangled) return mangled;
  llvm::ItaniumPartialDemangler demangler;
  if (demangler.partialDemangle(mangled.c_str()) || !demangler.isFunction()) return mangled;
  std::size_t size = 0;
  char* const text = demangler.getFunctionName(nullptr, &size);
  if (!text) return mangled;
  std::string out(text);
  std::free(text);
  return out;
}

/// The description attached to a function; null if there is none, or none that is JSON.
Json attachedTo(const llvm::Function& function) {
  const llvm::MDNode* const node = function.getMetadata(entryMetadata);
  const auto* text =
      node && node->getNumOperands() == 1 ? llvm::dyn_cast<llvm::MDString>(node->getOperand(0)) : nullptr;
  return text ? Json::parse(text->getString().begin(), text->getString().end(), nullptr, false) : Json();
}

}  // namespace

EntryPoint describeKernel(const clang::FunctionDecl& kernel, const clang::ASTContext& ast) {
  const TypeDescriber describer(ast);
  EntryPoint out;
  for (const clang::ParmVarDecl* parameter : kernel.parameters()) {
    const clang::QualType type = parameter->getType();
    const bool indirect = type->isPointerType() || type->isReferenceType();
    out.parameters.push_back(
        {.name = parameter->getNameAsString(),
         .type = describer.describe(type.getNonReferenceType() == type ? type.getUnqualifiedType() : type, 1),
         .offset = 0,
         .readOnly = indirect && type->getPointeeType().isConstQualified()});
  }
  return out;
}

TypeLayout describeResult(const clang::FunctionDecl& function, const clang::ASTContext& ast) {
  return TypeDescriber(ast).describe(function.getReturnType(), 1);
}

void attachEntry(llvm::Function& function, const EntryPoint& entry, const TypeLayout* result) {
  Json parameters = Json::array();
  for (const Parameter& parameter : entry.parameters) {
    parameters.push_back(
        {{"name", parameter.name}, {"read_only", parameter.readOnly}, {"type", typeJson(parameter.type)}});
  }
  Json whole = {{"parameters", std::move(parameters)}};
  if (result) whole["result"] = typeJson(*result);
  llvm::LLVMContext& context = function.getContext();
  function.setMetadata(
      entryMetadata,
      llvm::MDNode::get(context,
                        {llvm::MDString::get(context, whole.dump(-1, ' ', false, Json::error_handler_t::replace))}));
}

TypeLayout resultOf(const llvm::Function& function) {
  const Json json = attachedTo(function);
  try {
    if (json.is_object() && json.contains("result")) return typeOfJson(json["result"]);
  } catch (const Json::exception&) {
    // Edited by somebody: the IR's type stands.
  }
  return layoutOfIr(*function.getReturnType(), function.getDataLayout());
}

EntryPoint entryOf(const llvm::Function& function, bool native) {
  EntryPoint out;
  out.symbol = function.getName().str();
  out.name = readableName(function.getName());
  const Json json = attachedTo(function);
  // The text may come from a module somebody edited: what does not fit the function is ignored.
  try {
    if (json.is_object() && json.contains("parameters") &&
        (native || json["parameters"].size() == function.arg_size())) {
      for (const Json& parameter : json["parameters"]) {
        out.parameters.push_back(
            {parameter.at("name"), typeOfJson(parameter.at("type")), 0, parameter.value("read_only", false)});
      }
      return out;
    }
  } catch (const Json::exception&) {
    out.parameters.clear();
  }
  const llvm::DataLayout& layout = function.getDataLayout();
  for (const llvm::Argument& argument : function.args()) {
    const llvm::Type* const type = argument.hasByValAttr() ? argument.getParamByValType() : argument.getType();
    out.parameters.push_back({argument.getName().str(), layoutOfIr(*type, layout), 0, argument.onlyReadsMemory()});
  }
  return out;
}

}  // namespace lathe::detail
