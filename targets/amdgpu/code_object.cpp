// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a code object says of itself: a note NT_AMDGPU_METADATA of the ELF file, in MessagePack, with a map for each
// kernel (llvm.org/docs/AMDGPUUsage.html, "Code Object V3 and Above Metadata").
#include "targets/amdgpu/code_object.h"

#include <algorithm>
#include <set>

#include "llvm/BinaryFormat/ELF.h"
#include "llvm/BinaryFormat/MsgPackDocument.h"
#include "llvm/BinaryFormat/MsgPackReader.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Object/ELFObjectFile.h"

namespace lathe::targets {
namespace {

using llvm::msgpack::DocNode;
using llvm::msgpack::MapDocNode;

Error invalid(const std::string& what) {
  return {.code = ErrorCode::FileInvalid, .message = "AMD code object: " + what, .hint = "make it again"};
}

/// Null if the map has no such key.
DocNode* at(MapDocNode& map, llvm::StringRef key) {
  const auto found = map.find(key);
  return found == map.end() || found->second.isEmpty() ? nullptr : &found->second;
}

std::string textAt(MapDocNode& map, llvm::StringRef key) {
  DocNode* const node = at(map, key);
  return node && node->isString() ? node->getString().str() : std::string();
}

/// 0 if there is none, or a negative one.
std::uint64_t numberOf(DocNode* node) {
  if (!node || node->isEmpty()) return 0;
  if (node->getKind() == llvm::msgpack::Type::UInt) return node->getUInt();
  if (node->getKind() != llvm::msgpack::Type::Int || node->getInt() < 0) return 0;
  return static_cast<std::uint64_t>(node->getInt());
}
std::uint64_t numberAt(MapDocNode& map, llvm::StringRef key) {
  return numberOf(at(map, key));
}

/// "ns::scale<float>" of a mangled name; other names as they are.
std::string nameOf(const std::string& symbol) {
  llvm::ItaniumPartialDemangler demangler;
  if (demangler.partialDemangle(symbol.c_str())) return symbol;
  char* const name = demangler.getFunctionName(nullptr, nullptr);
  std::string out = name ? name : symbol;
  std::free(name);
  return out;
}

Parameter parameterOf(MapDocNode& argument, const std::string& kind) {
  Parameter out;
  out.name = textAt(argument, ".name");
  out.offset = numberAt(argument, ".offset");
  out.type.size = numberAt(argument, ".size");
  const bool isPointer = kind == "global_buffer" || kind == "dynamic_shared_pointer";
  out.type.kind = isPointer ? TypeKind::pointer : TypeKind::opaque;
  if (isPointer) out.type.element.emplace_back();
  // The offset is a multiple of the type's alignment, which no other key tells.
  constexpr std::uint64_t most = 16;
  const std::uint64_t lowest = out.offset == 0 ? most : out.offset & ~(out.offset - 1);
  const std::uint64_t ofSize = out.type.size == 0 ? 1 : out.type.size & ~(out.type.size - 1);
  out.type.align = static_cast<std::uint32_t>(std::min({lowest, ofSize, most}));
  out.readOnly = textAt(argument, ".actual_access") == "read_only" || textAt(argument, ".access") == "read_only";
  return out;
}

Result<EntryPoint> entryOf(MapDocNode& kernel) {
  EntryPoint out;
  out.symbol = textAt(kernel, ".name");
  if (out.symbol.empty()) return invalid("a kernel has no name");
  out.name = nameOf(out.symbol);
  if (DocNode* const arguments = at(kernel, ".args"); arguments && arguments->isArray()) {
    for (DocNode& argument : arguments->getArray()) {
      if (argument.isEmpty() || !argument.isMap())
        return invalid("a parameter of '" + out.symbol + "' is not described by a map");
      const std::string kind = textAt(argument.getMap(), ".value_kind");
      if (llvm::StringRef(kind).starts_with("hidden_")) continue;  // the driver's own
      Parameter parameter = parameterOf(argument.getMap(), kind);
      const std::uint64_t end = parameter.offset + parameter.type.size;
      if (end < parameter.offset || end > numberAt(kernel, ".kernarg_segment_size"))
        return invalid("a parameter of '" + out.symbol + "' is outside of the others");
      out.parameterBytes = std::max(out.parameterBytes, end);
      out.parameterAlign = std::max(out.parameterAlign, parameter.type.align);
      out.parameters.push_back(std::move(parameter));
    }
  }
  out.bounds.maxItems = static_cast<std::uint32_t>(numberAt(kernel, ".max_flat_workgroup_size"));
  DocNode* const group = at(kernel, ".reqd_workgroup_size");
  if (group && group->isArray() && group->getArray().size() == out.bounds.groupSize.size()) {
    for (std::size_t i = 0; i < out.bounds.groupSize.size(); ++i)
      out.bounds.groupSize[i] = static_cast<std::uint32_t>(numberOf(&group->getArray()[i]));
  }
  out.resources.registers = static_cast<std::int64_t>(numberAt(kernel, ".vgpr_count"));
  out.resources.sharedBytes = static_cast<std::int64_t>(numberAt(kernel, ".group_segment_fixed_size"));
  out.resources.localBytes = static_cast<std::int64_t>(numberAt(kernel, ".private_segment_fixed_size"));
  out.dynamicShared = true;  // it may; nothing tells
  return out;
}

/// Whether the next value is one that LLVM's documents can hold: the keys of maps are words.
bool isDocument(llvm::msgpack::Reader& reader, unsigned depth) {
  using llvm::msgpack::Type;
  const auto next = [&](llvm::msgpack::Object& object) {
    auto isRead = reader.read(object);
    if (isRead) return *isRead;
    llvm::consumeError(isRead.takeError());
    return false;
  };
  llvm::msgpack::Object object, key;
  if (!next(object)) return false;
  if (object.Kind != Type::Array && object.Kind != Type::Map) return true;
  for (std::size_t i = 0; i < object.Length; ++i) {
    if (object.Kind == Type::Map && !(next(key) && key.Kind == Type::String)) return false;
    if (depth == 0 || !isDocument(reader, depth - 1)) return false;
  }
  return true;
}

Result<std::vector<EntryPoint>> entriesOfMetadata(llvm::StringRef blob) {
  constexpr unsigned deepest = 16;
  llvm::msgpack::Reader reader(blob);
  llvm::msgpack::Document document;
  if (!isDocument(reader, deepest) || !document.readFromBlob(blob, /*Multi=*/false) || document.getRoot().isEmpty() ||
      !document.getRoot().isMap())
    return invalid("its metadata is damaged");
  DocNode* const kernels = at(document.getRoot().getMap(), "amdhsa.kernels");
  std::vector<EntryPoint> out;
  if (!kernels || !kernels->isArray()) return out;
  std::set<std::string> names;
  for (DocNode& kernel : kernels->getArray()) {
    if (kernel.isEmpty() || !kernel.isMap()) return invalid("a kernel is not described by a map");
    auto entry = entryOf(kernel.getMap());
    if (!entry) return std::move(entry).error();
    // Overloads have one name and go by their symbols.
    if (!names.insert(entry->name).second) entry->name = entry->symbol;
    out.push_back(*std::move(entry));
  }
  return out;
}

}  // namespace

Result<std::vector<EntryPoint>> entriesOfCodeObject(std::string_view code) {
  auto file = llvm::object::ELFFile<llvm::object::ELF64LE>::create(llvm::StringRef(code));
  if (!file) return invalid(llvm::toString(file.takeError()));
  if (file->getHeader().e_machine != llvm::ELF::EM_AMDGPU) return invalid("it is code of another processor");
  auto sections = file->sections();
  if (!sections) return invalid(llvm::toString(sections.takeError()));
  for (const auto& section : *sections) {
    if (section.sh_type != llvm::ELF::SHT_NOTE) continue;
    llvm::Error error = llvm::Error::success();
    for (const auto& note : file->notes(section, error)) {
      if (note.getName() != "AMDGPU" || note.getType() != llvm::ELF::NT_AMDGPU_METADATA) continue;
      llvm::consumeError(std::move(error));
      return entriesOfMetadata(note.getDescAsStringRef(std::max<std::size_t>(4, section.sh_addralign)));
    }
    if (error) return invalid(llvm::toString(std::move(error)));
  }
  return invalid("it says nothing of its kernels");
}

}  // namespace lathe::targets
