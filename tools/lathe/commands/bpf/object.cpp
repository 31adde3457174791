// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/lathe/commands/bpf/object.h"

#include <algorithm>

#include <fmt/format.h>

#include <lathe/runtime/type_layout.h>

#include "tools/lathe/arguments/files.h"
#include "tools/lathe/arguments/value.h"

namespace lathe::tool {
namespace {

std::string codeOf(const Image& image) {
  const auto bytes = image.code().front().bytes;
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Result<BpfInput> ofImage(Image image, const std::string& file) {
  if (image.info().runtime != "bpf" || image.code().empty()) {
    return Error{.code = ErrorCode::IncompatibleDevice,
                 .message = fmt::format("{}: it is an image for target '{}', not for bpf", file, image.info().target)};
  }
  std::string code = codeOf(image);
  return BpfInput{std::move(code), std::move(image)};
}

}  // namespace

Result<BpfInput> readBpfInput(const JobOptions& options, Output& out, BpfUse use) {
  if (!options.isSource()) {
    auto fat = FatImage::open(options.file());
    if (!fat) return std::move(fat).error();
    for (std::size_t i = 0; i < fat->entries().size(); ++i) {
      if (fat->entries()[i].runtime != "bpf" && fat->entries().size() > 1) continue;
      auto image = fat->image(i);
      if (!image) return std::move(image).error();
      return ofImage(*std::move(image), options.file());
    }
    return Error{.code = ErrorCode::IncompatibleDevice,
                 .message = fmt::format("{}: none of its images is for bpf", options.file())};
  }
  auto text = readFile(options.file());
  if (!text) return std::move(text).error();
  constexpr std::string_view elfMagic =
      "\x7f"
      "ELF";
  if (text->starts_with(elfMagic)) return BpfInput{*std::move(text), {}};
  auto job = options.job();
  if (!job) return std::move(job).error();
  if (use == BpfUse::linked) job->emit = "object";
  auto compiler = options.compiler();
  if (!compiler) return std::move(compiler).error();
  auto result = compiler->compile(*job, options.request());
  if (!result) return std::move(result).error();
  for (const Diagnostic& warning : result->warnings) out.warning(warning);
  return ofImage(std::move(result->image), options.file());
}

Json typeJson(const TypeLayout& type) {
  return type.kind == TypeKind::opaque ? Json() : Json::parse(toJson(type));
}

Json shownValue(const TypeLayout* type, std::span<const std::byte> bytes) {
  if (type && type->kind != TypeKind::opaque && type->size == bytes.size()) return decodeJson(*type, bytes);
  // Without types: numbers as such, the rest as digits.
  std::uint64_t number = 0;
  if (bytes.size() <= sizeof(number)) {
    std::memcpy(&number, bytes.data(), bytes.size());
    return number;
  }
  std::string digits;
  for (const std::byte one : bytes) digits += fmt::format("{:02x}", static_cast<unsigned>(one));
  return digits;
}

Json entryOf(const bpf::RawMap& map, const MapLayout& layout, std::span<const std::byte> key,
             std::span<const std::byte> value) {
  Json row = {{"key", shownValue(layout.key, key)}};
  if (!map.isPerCpu()) {
    row["value"] = shownValue(layout.value, value);
    return row;
  }
  for (std::size_t cpu = 0; cpu < map.valuesPerKey(); ++cpu)
    row["values"].push_back(shownValue(layout.value, value.subspan(cpu * map.valueStride(), map.valueBytes())));
  return row;
}

Result<Json> entriesOf(const bpf::RawMap& map, const MapLayout& layout, std::size_t most) {
  Json list = Json::array();
  auto done = map.forEach([&](std::span<const std::byte> key, std::span<const std::byte> value) {
    list.push_back(entryOf(map, layout, key, value));
    return list.size() < most;
  });
  if (!done) return std::move(done).error();
  return list;
}

}  // namespace lathe::tool
