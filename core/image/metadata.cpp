// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Encoding and decoding share one description of each structure, `visit`, so that they cannot differ: a codec is given
// every field in its order, and either appends it or fills it in.
#include "core/image/metadata.h"

#include <concepts>
#include <limits>
#include <utility>

#include "core/support/bytes.h"

namespace lathe::detail {
namespace {

class Encoder {
 public:
  static constexpr bool reads = false;
  explicit Encoder(ByteWriter& out) : out_(out) {}

  template <std::integral T>
  void operator()(const T& value) {
    out_.number(value);
  }
  void operator()(const bool& value) { out_.number(std::uint8_t{value}); }
  void operator()(const std::string& value) { out_.text(value); }
  template <class E>
  void enumeration(const E& value, E) {
    out_.number(static_cast<std::uint8_t>(value));
  }
  template <class T, class F>
  void list(const std::vector<T>& values, F each) {
    out_.number(static_cast<std::uint32_t>(values.size()));
    for (const T& value : values) each(value);
  }
  [[nodiscard]] static bool since(std::uint32_t) { return true; }

 private:
  ByteWriter& out_;
};

class Decoder {
 public:
  static constexpr bool reads = true;
  Decoder(std::span<const std::byte> bytes, std::uint32_t version) : in_(bytes), version_(version) {}

  template <std::integral T>
  void operator()(T& value) {
    value = in_.number<T>();
  }
  void operator()(bool& value) { value = in_.numberUpTo<std::uint8_t>(1) != 0; }
  void operator()(std::string& value) { value = in_.text(); }
  template <class E>
  void enumeration(E& value, E last) {
    value = static_cast<E>(in_.numberUpTo<std::uint8_t>(static_cast<std::uint8_t>(last)));
  }
  template <class T, class F>
  void list(std::vector<T>& values, F each) {
    // Everything in a list takes four bytes or more, the least being an empty text.
    for (std::uint32_t left = in_.count(4); left != 0 && !in_.failed(); --left) each(values.emplace_back());
  }
  void fail() { in_.fail(); }
  [[nodiscard]] bool finished() const { return in_.atEnd(); }

  /// Whether the file has the fields that came with `version`.
  [[nodiscard]] bool since(std::uint32_t version) const { return version_ >= version; }

 private:
  ByteReader in_;
  std::uint32_t version_;
};

template <class Codec, class Type>
void visitType(Codec& codec, Type& type, unsigned depth) {
  if constexpr (Codec::reads) {
    if (depth > maxTypeDepth) return codec.fail();
  } else if (depth == maxTypeDepth && !(type.element.empty() && type.fields.empty())) {
    const TypeLayout rest{.kind = TypeKind::opaque,
                          .name = type.name,
                          .size = type.size,
                          .align = type.align,
                          .element = {},
                          .fields = {}};
    return visitType(codec, rest, depth);
  }
  codec.enumeration(type.kind, TypeKind::opaque);
  codec(type.name);
  codec(type.size);
  codec(type.align);
  codec(type.count);
  codec.list(type.element, [&](auto& element) { visitType(codec, element, depth + 1); });
  if constexpr (Codec::reads) {
    if (type.element.size() > 1) codec.fail();
  }
  codec.list(type.fields, [&](auto& field) {
    codec(field.name);
    codec(field.offset);
    visitType(codec, field.type, depth + 1);
  });
}

template <class Codec, class Entry>
void visitEntry(Codec& codec, Entry& entry) {
  codec(entry.name);
  codec(entry.symbol);
  const auto visitParameter = [&](auto& parameter) {
    codec(parameter.name);
    visitType(codec, parameter.type, 0);
    codec(parameter.offset);
    codec(parameter.readOnly);
  };
  codec.list(entry.parameters, visitParameter);
  if (codec.since(2)) codec.list(entry.hidden, visitParameter);
  codec(entry.parameterBytes);
  codec(entry.parameterAlign);
  codec.enumeration(entry.abi, EntryAbi::state);
  codec(entry.bounds.maxItems);
  codec(entry.bounds.minGroups);
  codec(entry.bounds.maxRegisters);
  for (auto& extent : entry.bounds.groupSize) codec(extent);
  auto& use = entry.resources;
  for (auto* value :
       {&use.registers, &use.sharedBytes, &use.localBytes, &use.constantBytes, &use.contextBytes, &use.vectorWidth}) {
    codec(*value);
  }
  codec(entry.dynamicShared);
  if (!codec.since(2)) return;
  codec(entry.section);
  codec(entry.kind);
  if (!codec.since(4)) return;
  for (auto& extent : entry.cluster.size) codec(extent);
  codec(entry.cluster.most);
  codec(entry.cluster.countsClusters);
}

template <class Codec, class Info>
void visitInfo(Codec& codec, Info& info) {
  for (auto* text : {&info.target, &info.arch, &info.features, &info.runtime}) codec(*text);
  codec.list(info.entries, [&](auto& entry) { visitEntry(codec, entry); });
  codec.list(info.globals, [&](auto& global) {
    for (auto* text : {&global.name, &global.symbol, &global.space}) codec(*text);
    visitType(codec, global.type, 0);
  });
  codec.list(info.requires_, [&](auto& text) { codec(text); });
  auto& from = info.provenance;
  for (auto* text : {&from.producer, &from.compiler, &from.jobHash, &from.sourceName, &from.description}) codec(*text);
  if (codec.since(3)) codec(info.optLevel);
}

template <class Codec, class Codes>
void visitCode(Codec& codec, Codes& code) {
  codec.list(code, [&](auto& one) {
    codec(one.format);
    codec(one.arch);
  });
}

}  // namespace

std::string encode(const ImageInfo& info, std::span<const Image::CodeBlob> code) {
  ByteWriter out;
  Encoder encoder(out);
  visitInfo(encoder, info);
  std::vector<CodeName> names;
  for (const Image::CodeBlob& blob : code) names.push_back({blob.format, blob.arch});
  visitCode(encoder, std::as_const(names));
  return out.take();
}

std::optional<Metadata> decode(std::span<const std::byte> bytes, std::uint32_t version) {
  Metadata out;
  Decoder decoder(bytes, version);
  visitInfo(decoder, out.info);
  visitCode(decoder, out.code);
  if (!decoder.finished()) return std::nullopt;
  return out;
}

}  // namespace lathe::detail
