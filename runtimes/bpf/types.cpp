// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// <lathe/bpf_types.h>: where types come from, and the header of some of them.
#include <lathe/bpf_types.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <map>
#include <set>

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

/// The types and functions of these names, found in one pass: a search for each takes a while in the kernel's types.
/// Of several the first of the kind that typeNamed() prefers.
std::map<std::string_view, std::uint32_t> numbersOf(const detail::Btf& types, std::span<const std::string> names) {
  using detail::BtfKind;
  constexpr BtfKind preferred[] = {BtfKind::structure,   BtfKind::union_,        BtfKind::typedef_,
                                   BtfKind::enumeration, BtfKind::enumeration64, BtfKind::function};
  const std::set<std::string_view> wanted(names.begin(), names.end());
  std::map<std::string_view, std::uint32_t> out;
  const auto rank = [&](std::uint32_t number) { return std::ranges::find(preferred, types.type(number).kind); };
  for (std::uint32_t i = 1; i <= types.count(); ++i) {
    const auto name = wanted.find(types.type(i).name);
    if (name == wanted.end() || rank(i) == std::end(preferred)) continue;
    const auto [known, isNew] = out.emplace(*name, i);
    if (!isNew && rank(i) < rank(known->second)) known->second = i;
  }
  return out;
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
  detail::CxxTypes out(types, detail::Readers::kernel);
  const auto numbers = numbersOf(types, names);
  std::string list;
  for (const std::string& name : names) {
    const auto found = numbers.find(name);
    if (found == numbers.end()) return noType(types, name);
    if (types.type(found->second).kind == detail::BtfKind::function)
      out.declareFunction(found->second);
    else
      out.define(found->second);
    constexpr std::size_t mostLetters = 100;
    if (list.size() < mostLetters) list += (list.empty() ? "" : ", ") + name;
  }
  if (names.size() > 1 && !list.ends_with(names.back())) list += ", …";
  const std::string text = out.definitions();
  return fmt::format("// Types {} with what they contain, from BTF.\n#pragma once\n\n{}{}\n{}\n{}{}", list,
                     detail::wordsOfC, out.words().first, out.declarations(), text, out.words().second);
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

std::optional<TypeLayout> Types::recordOf(std::string_view map) const {
  const std::uint32_t record = detail::definitionOf(data_->types, map).record;
  return record != 0 ? std::optional(detail::layoutOf(data_->types, record)) : std::nullopt;
}

}  // namespace lathe::bpf
