// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The packed form of an image's description, with two rules of its own: types nest to a bound, and kernels have an
// entry ABI that is decided.
#include "core/image/metadata.h"

#include "core/values/image_values.h"
#include "core/values/packed.h"

namespace lathe::detail {

template <>
struct Description<CodeName> {
  static constexpr auto fields = std::tuple(field("format", &CodeName::format), field("arch", &CodeName::arch));
};
template <>
struct Description<Metadata> {
  static constexpr auto fields = std::tuple(field("info", &Metadata::info), field("code", &Metadata::code));
};

namespace {

class MetadataWriter : public PackedWriter {
 public:
  void special(const TypeLayout& type) {
    const bool tooDeep = depth_ == maxTypeDepth && !(type.element.empty() && type.fields.empty());
    ++depth_;
    if (tooDeep) {
      TypeLayout rest;
      rest.name = type.name;
      rest.size = type.size;
      rest.align = type.align;
      writeFields(*this, rest);
    } else {
      writeFields(*this, type);
    }
    --depth_;
  }

 private:
  unsigned depth_ = 0;
};

class MetadataReader : public PackedReader {
 public:
  using PackedReader::PackedReader;

  void special(TypeLayout& type) {
    if (depth_ > maxTypeDepth) return fail();
    ++depth_;
    readFields(*this, type);
    if (type.element.size() > 1) fail();
    --depth_;
  }
  void special(EntryAbi& abi) {
    const auto read = static_cast<EntryAbi>(number<std::uint8_t>());
    if (read != EntryAbi::bare && read != EntryAbi::state) return fail();
    abi = read;
  }

 private:
  unsigned depth_ = 0;
};

}  // namespace

std::string encode(const ImageInfo& info, std::span<const Image::CodeBlob> code) {
  MetadataWriter out;
  writeValue(out, info);
  std::vector<CodeName> names;
  for (const Image::CodeBlob& blob : code) names.push_back({blob.format, blob.arch});
  writeValue(out, names);
  return out.take();
}

std::optional<Metadata> decode(std::span<const std::byte> bytes, std::uint32_t version) {
  MetadataReader in(bytes, version);
  Metadata out;
  readValue(in, out);
  if (!in.atEnd()) return std::nullopt;
  return out;
}

}  // namespace lathe::detail
