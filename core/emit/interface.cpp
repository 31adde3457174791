// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an object says of itself: the description inside the file, and the headers and the manifest beside it.
#include <algorithm>
#include <set>

#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"
#include "llvm/Object/ArchiveWriter.h"
#include "llvm/Object/ObjectFile.h"

#include "core/emit/emit.h"
#include "core/lower/lowering.h"
#include "core/lower/stages.h"
#include "core/support/llvm_bridge.h"

namespace lathe::detail {
namespace {

/// Symbols that an object file leaves to others; of a module that was not made into one, its undefined functions.
llvm::Expected<std::vector<std::string>> externalsOf(const llvm::Module& module, const std::string& object) {
  std::set<std::string> names;
  if (object.empty()) {
    for (const llvm::Function& function : module) {
      if (function.isDeclaration() && !function.isIntrinsic() && !function.use_empty())
        names.insert(function.getName().str());
    }
    return std::vector<std::string>(names.begin(), names.end());
  }
  auto file = llvm::object::ObjectFile::createObjectFile(llvm::MemoryBufferRef(object, "object"));
  if (!file) return file.takeError();
  for (const llvm::object::SymbolRef& symbol : (*file)->symbols()) {
    auto flags = symbol.getFlags();
    if (!flags) return flags.takeError();
    if ((*flags & llvm::object::SymbolRef::SF_Undefined) == 0) continue;
    auto name = symbol.getName();
    if (!name) return name.takeError();
    // Tables and addresses that the linker itself makes.
    if (!name->empty() && !name->starts_with("_GLOBAL_OFFSET_TABLE_") && !name->starts_with("__stack_pointer") &&
        !name->starts_with("__indirect_function_table"))
      names.insert(name->str());
  }
  return std::vector<std::string>(names.begin(), names.end());
}

/// The layout of a floating-point number, or of an array of them; of others only the size is known, as IR does not say
/// which integers have a sign.
TypeLayout layoutOfNumbers(llvm::Type& type, const llvm::DataLayout& layout) {
  TypeLayout out;
  out.size = layout.getTypeAllocSize(&type).getFixedValue();
  out.align = static_cast<std::uint32_t>(layout.getABITypeAlign(&type).value());
  if (type.isBFloatTy()) {
    out.kind = TypeKind::bfloat;
  } else if (type.isFloatingPointTy()) {
    out.kind = TypeKind::floating;
  } else if (auto* const array = llvm::dyn_cast<llvm::ArrayType>(&type)) {
    TypeLayout element = layoutOfNumbers(*array->getElementType(), layout);
    if (element.kind == TypeKind::opaque || element.size * array->getNumElements() != out.size) return out;
    out.kind = TypeKind::array;
    out.count = array->getNumElements();
    out.element.push_back(std::move(element));
  }
  return out;
}

/// The image's description with those variables alone that other objects can reach, by their types in the module.
ImageInfo withReachableVariables(const Lowering& lowering) {
  ImageInfo out = lowering.info;
  std::erase_if(out.globals, [&](GlobalVariable& variable) {
    const llvm::GlobalVariable* const found = lowering.module->getNamedGlobal(variable.symbol);
    if (!found || found->isDeclaration() || found->hasLocalLinkage() || found->hasHiddenVisibility()) return true;
    variable.type = layoutOfNumbers(*found->getValueType(), lowering.module->getDataLayout());
    if (found->isConstant()) variable.type.name = "const ";
    return false;
  });
  return out;
}

}  // namespace

/// Puts a description of the image (without code) into the module, so that an ELF file tells a loader what is in it.
llvm::Error stage::description(Lowering& lowering) {
  auto formats = wantedFormats(lowering);
  if (!formats) return formats.takeError();
  if (!llvm::is_contained({"object", "archive", "linked"}, formats->front())) return llvm::Error::success();
  if (!lowering.module->getTargetTriple().isOSBinFormatELF()) return llvm::Error::success();
  if (auto error = stage::image(lowering)) return error;
  const Image description = Image::build(lowering.info, {});
  const auto bytes = description.bytes();
  llvm::Module& module = *lowering.module;
  auto* const value = llvm::ConstantDataArray::getString(
      module.getContext(), {reinterpret_cast<const char*>(bytes.data()), bytes.size()}, /*AddNull=*/false);
  auto* const variable = new llvm::GlobalVariable(module, value->getType(), /*isConstant=*/true,
                                                  llvm::GlobalValue::PrivateLinkage, value, "lathe_image");
  variable->setSection(imageSectionName);
  variable->setAlignment(llvm::Align(8));
  return llvm::Error::success();
}

llvm::Error describeInterface(Lowering& lowering, const std::string& object) {
  if (auto error = stage::image(lowering)) return error;
  auto externals = externalsOf(*lowering.module, object);
  if (!externals) return externals.takeError();
  ObjectInterface& interface = lowering.interface;
  interface.externals = *std::move(externals);
  interface.triple = lowering.module->getTargetTriple().str();
  interface.pointerBytes = lowering.module->getDataLayout().getPointerSize();
  const ImageInfo declared = withReachableVariables(lowering);
  lowering.code.push_back({interface_format::cHeader, "", cHeader(declared, interface)});
  lowering.code.push_back({interface_format::cxxHeader, "", cxxHeader(declared, interface)});
  lowering.code.push_back({interface_format::manifest, "", manifest(lowering.info, interface)});
  return llvm::Error::success();
}

llvm::Expected<std::string> makeArchive(const std::string& object, const std::string& memberName) {
  llvm::SmallVector<llvm::NewArchiveMember, 1> members;
  members.emplace_back(llvm::MemoryBufferRef(object, memberName));
  auto archive = llvm::writeArchiveToBuffer(members, llvm::SymtabWritingMode::NormalSymtab,
                                            llvm::object::Archive::K_GNU, /*Deterministic=*/true, /*Thin=*/false);
  if (!archive) return archive.takeError();
  return (*archive)->getBuffer().str();
}

}  // namespace lathe::detail
