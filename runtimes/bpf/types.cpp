// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// <lathe/bpf_types.h>: where types come from, and the header of some of them.
#include <lathe/bpf_types.h>

#include <cstring>

#include <unistd.h>

#include <fmt/format.h>

#include "core/support/file.h"
#include "core/support/nearest.h"
#include "runtimes/bpf/types/layout.h"
#include "runtimes/bpf/types/reduced.h"
#include "runtimes/bpf/types_data.h"

namespace lathe::bpf {
namespace {

constexpr const char* kernelFile = "/sys/kernel/btf/vmlinux";

std::uint32_t typeNamed(const detail::Btf& types, std::string_view name) {
  using detail::BtfKind;
  for (const BtfKind kind :
       {BtfKind::structure, BtfKind::union_, BtfKind::typedef_, BtfKind::enumeration, BtfKind::enumeration64}) {
    if (const std::uint32_t found = types.find(kind, name)) return found;
  }
  return 0;
}

std::vector<std::string> namesOf(const detail::Btf& types) {
  std::vector<std::string> out;
  for (std::uint32_t i = 1; i <= types.count(); ++i) {
    const detail::BtfType type = types.type(i);
    if (type.kind == detail::BtfKind::structure || type.kind == detail::BtfKind::typedef_ ||
        type.kind == detail::BtfKind::enumeration || type.kind == detail::BtfKind::function)
      out.emplace_back(type.name);
  }
  return out;
}

Error noType(const detail::Btf& types, std::string_view name) {
  return {.code = ErrorCode::InvalidArgument,
          .message = fmt::format("types: there is no '{}'{}", name, didYouMean(name, namesOf(types))),
          .target = "bpf"};
}

}  // namespace

Result<Types> Types::ofObject(std::span<const std::byte> elf) {
  const auto section = detail::elfSection(elf, ".BTF");
  if (!section)
    return Error{.code = ErrorCode::ImageCorrupt, .message = "object: it has no section .BTF", .target = "bpf"};
  auto types = detail::Btf::parse({section->begin(), section->end()});
  if (!types) return std::move(types).error();
  auto data = std::make_shared<Data>();
  data->types = *std::move(types);
  return Types(std::move(data));
}

Result<Types> Types::ofFile(const std::filesystem::path& path) {
  auto text = lathe::detail::readFile(path);
  if (!text) return std::move(text).error();
  const auto bytes = std::as_bytes(std::span(*text));
  constexpr std::string_view elfMagic =
      "\x7f"
      "ELF";
  if (text->starts_with(elfMagic)) return ofObject(bytes);
  auto types = detail::Btf::parse({bytes.begin(), bytes.end()});
  if (!types) {
    types.error().message = fmt::format("{}: {}", path.string(), types.error().message);
    return std::move(types).error();
  }
  auto data = std::make_shared<Data>();
  data->types = *std::move(types);
  return Types(std::move(data));
}

Result<Types> Types::ofKernel() {
  if (::access(kernelFile, R_OK) == 0) return ofFile(kernelFile);
  return Error{.code = ErrorCode::Unsupported,
               .message = fmt::format("bpf: this kernel shows no types of its own ({})", kernelFile),
               .hint = "name a file with BTF, or use a kernel with CONFIG_DEBUG_INFO_BTF",
               .target = "bpf"};
}

Result<std::string> Types::header(std::span<const std::string> names) const {
  const detail::Btf& types = data_->types;
  detail::CxxTypes out(types);
  std::string list;
  for (const std::string& name : names) {
    if (const std::uint32_t type = typeNamed(types, name))
      out.define(type);
    else if (const std::uint32_t function = types.find(detail::BtfKind::function, name))
      out.declareFunction(function);
    else
      return noType(types, name);
    list += (list.empty() ? "" : ", ") + name;
  }
  // What C has under another name before C23.
  constexpr std::string_view words =
      "#if !defined(__cplusplus) && __STDC_VERSION__ < 202311L\n"
      "#ifndef static_assert\n#define static_assert _Static_assert\n#endif\n"
      "#ifndef bool\n#define bool _Bool\n#endif\n"
      "#endif\n";
  return fmt::format("// Types {} with what they contain, from BTF.\n#pragma once\n\n{}\n{}", list, words, out.text());
}

Result<TypeLayout> Types::layout(std::string_view name) const {
  const std::uint32_t number = typeNamed(data_->types, name);
  if (number == 0) return noType(data_->types, name);
  return detail::layoutOf(data_->types, number);
}

Result<std::vector<std::byte>> Types::reducedFor(std::span<const std::byte> elf) const {
  if (!detail::elfSection(elf, ".BTF"))
    return Error{.code = ErrorCode::ImageCorrupt, .message = "object: it has no section .BTF", .target = "bpf"};
  auto reduced = detail::reducedTypes(elf, data_->types);
  if (reduced) return std::move(reduced->bytes);
  return Error{.code = ErrorCode::InvalidArgument,
               .message = "object: none of its accesses is relocated by the kernel's types",
               .hint = "without CO-RE it needs no types of the kernel",
               .target = "bpf"};
}

/// A definition's numbers are the lengths of arrays, whose elements libbpf does not look at: int, or the record's type.
std::optional<TypeLayout> Types::recordOf(std::string_view map) const {
  const detail::Btf& types = data_->types;
  for (const detail::BtfMember& variable : types.members(types.find(detail::BtfKind::section, ".maps"))) {
    if (variable.name != map) continue;
    for (const detail::BtfMember& member : types.members(types.stripped(variable.type))) {
      if (member.name != "type") continue;
      const detail::BtfType array = types.type(types.stripped(types.type(types.stripped(member.type)).to));
      TypeLayout record = detail::layoutOf(types, array.to);
      if (array.kind != detail::BtfKind::array || record.name == "int") return std::nullopt;
      return record;
    }
  }
  return std::nullopt;
}

}  // namespace lathe::bpf
