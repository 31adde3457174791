// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layout: eight bytes that name the format and its version, the CRC-32 of what follows (32 bits, little endian), and
// question, surroundings and image, each behind its length (32 bits).
#include "core/store/compiled_code.h"

#include "core/support/bytes.h"
#include "core/support/checksum.h"

namespace lathe::detail {
namespace {

constexpr std::string_view magic = "LATHED\x01\n";

std::span<const std::byte> bytesOf(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

}  // namespace

std::string packCompiledCode(const CompiledCode& code) {
  ByteWriter body;
  for (const std::string* const text : {&code.question, &code.surroundings, &code.image}) body.text(*text);
  ByteWriter out;
  out.raw(magic);
  out.number(checksum(bytesOf(body.view())));
  out.raw(body.view());
  return out.take();
}

std::optional<CompiledCode> unpackCompiledCode(std::string_view file) {
  if (!file.starts_with(magic)) return std::nullopt;
  ByteReader in(bytesOf(file.substr(magic.size())));
  const auto sum = in.number<std::uint32_t>();
  if (in.failed() || sum != checksum(bytesOf(file.substr(magic.size() + sizeof sum)))) return std::nullopt;
  CompiledCode out;
  for (std::string* const text : {&out.question, &out.surroundings, &out.image}) *text = std::string(in.text());
  if (!in.atEnd()) return std::nullopt;
  return out;
}

std::string compiledCodePath(std::string_view question) {
  constexpr std::size_t digits = 64;
  constexpr const char* hex = "0123456789abcdef";
  std::string name;
  const auto add = [&](std::uint64_t value, unsigned count) {
    for (unsigned i = 0; i < count; ++i, value >>= 4U) name += hex[value & 15U];
  };
  add(checksum(bytesOf(question)), 8);
  add(question.size(), 16);
  name.resize(digits, '0');
  return name.substr(0, 2) + "/" + name + ".d";
}

}  // namespace lathe::detail
