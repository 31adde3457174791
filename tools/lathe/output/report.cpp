// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Words and numbers about images.
#include "tools/lathe/output/report.h"

#include <array>
#include <utility>

#include <fmt/format.h>

#include "tools/lathe/arguments/job_options.h"

namespace lathe::tool {
namespace {

std::string extensionOf(std::string_view format) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 10> known = {{{"ir", ".ll"},
                                                                                           {"bitcode", ".bc"},
                                                                                           {"asm", ".s"},
                                                                                           {"object", ".o"},
                                                                                           {"elf", ".o"},
                                                                                           {"archive", ".a"},
                                                                                           {"shared", ".so"},
                                                                                           {"c-header", ".h"},
                                                                                           {"cxx-header", ".hpp"},
                                                                                           {"manifest", ".json"}}};
  for (const auto& [name, extension] : known)
    if (name == format) return std::string(extension);
  return fmt::format(".{}", format);
}

std::string_view text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

struct Field {
  std::string_view name;
  std::int64_t ResourceUse::* value;
  bool bytes;
  std::string_view words;
};
constexpr std::array<Field, 6> fields = {
    {{"registers", &ResourceUse::registers, false, "registers"},
     {"shared_bytes", &ResourceUse::sharedBytes, true, "shared"},
     {"local_bytes", &ResourceUse::localBytes, true, "local"},
     {"constant_bytes", &ResourceUse::constantBytes, true, "constant"},
     {"context_bytes", &ResourceUse::contextBytes, true, "kept across barriers per item"},
     {"vector_width", &ResourceUse::vectorWidth, false, "items per vector"}}};

}  // namespace

OutputBytes bytesFor(const Image& image, std::string_view emit) {
  if (emit == "image" || emit.starts_with("image:") || emit == "portable" || emit == "relocatable")
    return {text(image.bytes()), std::string(imageExtension)};
  const Code* code = image.find(emit);
  // By LLVM's name of a format that the target calls otherwise; what else there is (headers) comes after the code.
  if (!code && !image.code().empty()) code = &image.code().front();
  return code ? OutputBytes{text(code->bytes), extensionOf(code->format)} : OutputBytes{};
}

std::string timesTable(const std::vector<StageTime>& times, const Output& out) {
  if (times.empty()) return {};
  Table table({{"stage"}, {"ms", Table::Align::right}});
  for (const StageTime& time : times) table.add({time.stage, fmt::format("{:.3f}", time.milliseconds)});
  return table.render(out);
}

Table fatImageTable(const FatImage& fat) {
  Table table({{"target"}, {"arch"}, {"runtime"}, {"bytes", Table::Align::right}});
  for (const FatImageEntry& entry : fat.entries())
    table.add({entry.target, entry.arch, entry.runtime.empty() ? "-" : entry.runtime, std::to_string(entry.bytes)});
  return table;
}

Json fatImageJson(const FatImage& fat) {
  Json images = Json::array();
  for (const FatImageEntry& entry : fat.entries()) {
    images.push_back({{"target", entry.target},
                      {"arch", entry.arch},
                      {"features", entry.features},
                      {"runtime", entry.runtime},
                      {"bytes", entry.bytes}});
  }
  return {{"bytes", fat.bytes().size()}, {"images", std::move(images)}};
}

Result<std::size_t> entryFor(const FatImage& fat, const std::string& target) {
  std::vector<std::size_t> found;
  std::string all;
  for (std::size_t i = 0; i < fat.entries().size(); ++i) {
    const FatImageEntry& entry = fat.entries()[i];
    const std::string name = entry.target + ":" + entry.arch;
    if (target == name || target == entry.target) found.push_back(i);
    all += (all.empty() ? "" : ", ") + name;
  }
  if (found.size() == 1) return found.front();
  return Error{ErrorCode::InvalidArgument,
               found.empty()
                   ? fmt::format("the fat image has nothing for {}; it holds {}", target, all)
                   : fmt::format("the fat image has {} images for {}; name one of {}", found.size(), target, all)};
}

std::string targetName(const ImageInfo& info) {
  return info.arch.empty() ? info.target : fmt::format("{}:{}", info.target, info.arch);
}

std::string resourceText(const ResourceUse& use) {
  std::string out;
  for (const Field& field : fields) {
    const std::int64_t value = use.*field.value;
    if (value < 0 || (value == 0 && field.bytes)) continue;
    if (!out.empty()) out += ", ";
    out += field.bytes ? fmt::format("{} {}", humanBytes(static_cast<double>(value)), field.words)
                       : fmt::format("{} {}", value, field.words);
  }
  return out;
}

Json resourceJson(const ResourceUse& use) {
  Json out = Json::object();
  for (const Field& field : fields) {
    const std::int64_t value = use.*field.value;
    out[std::string(field.name)] = value < 0 ? Json(nullptr) : Json(value);
  }
  return out;
}

std::size_t codeBytes(const Image& image) {
  std::size_t total = 0;
  for (const Code& code : image.code()) total += code.bytes.size();
  return total;
}

}  // namespace lathe::tool
