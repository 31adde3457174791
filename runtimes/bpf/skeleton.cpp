// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The header that `--cxx-skeleton` writes.
#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include <lathe/bpf_host.h>

#include "runtimes/bpf/types_data.h"

namespace lathe::bpf {
namespace {

/// A map's types in its definition: members "key" and "value", pointers to them; "type", an array of the type of a
/// buffer's records, or of int. 0: it has none.
struct MapTypes {
  std::uint32_t key = 0, value = 0, record = 0;
};

MapTypes typesOfMap(const detail::Btf& types, std::string_view name) {
  MapTypes out;
  const std::uint32_t maps = types.find(detail::BtfKind::section, ".maps");
  for (const detail::BtfMember& map : types.members(maps)) {
    if (map.name != name) continue;
    for (const detail::BtfMember& member : types.members(types.stripped(map.type))) {
      const detail::BtfType type = types.type(types.stripped(member.type));
      if (type.kind != detail::BtfKind::pointer) continue;
      if (member.name == "key") out.key = type.to;
      if (member.name == "value") out.value = type.to;
      if (member.name != "type") continue;
      const detail::BtfType array = types.type(types.stripped(type.to));
      if (array.kind == detail::BtfKind::array && types.type(array.to).kind != detail::BtfKind::integer)
        out.record = array.to;
    }
  }
  return out;
}

/// Arrays are no values in C++: they go into one that is.
std::string valueType(const detail::Btf& types, const detail::CxxTypes& writer, std::uint32_t number) {
  const detail::BtfType type = types.type(types.stripped(number));
  if (type.kind != detail::BtfKind::array) return writer.declaration(number, "");
  return fmt::format("std::array<{}, {}>", valueType(types, writer, type.to), type.elements);
}

bool isIdentifier(std::string_view name) {
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name.front())) == 0 &&
         std::ranges::all_of(name, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

std::string bytesText(std::span<const std::byte> bytes) {
  std::string out;
  constexpr std::size_t perLine = 24;
  for (std::size_t i = 0; i < bytes.size(); ++i)
    out += fmt::format("{}{},", i % perLine == 0 ? "\n    " : "", static_cast<unsigned>(bytes[i]));
  return out;
}

class Writer {
 public:
  Writer(const detail::Btf& types, const Object& object) : types_(types), cxx_(types), object_(object) {}

  std::string write(std::span<const std::byte> elf, const std::string& name) {
    members();
    return fmt::format(
        R"(// Made from a BPF object by `lathe compile --cxx-skeleton`; not to be changed by hand.
#pragma once

#include <array>
#include <functional>
#include <vector>

#include <lathe/bpf_host.h>

namespace {0} {{

{1}
/// The programs, maps and variables of one object: open(), load(), attach(). All that it attached is detached when it
/// goes. Move-only.
class Skeleton {{
 public:
  static lathe::Result<Skeleton> open(const lathe::bpf::OpenOptions& options = {{}}) {{
    auto object = lathe::bpf::Object::open(std::as_bytes(std::span(bytes())), options);
    if (!object) return std::move(object).error();
    return Skeleton(*std::move(object));
  }}
  lathe::Result<void> load() {{ return object_.load(); }}
  /// Attaches every program whose section says where.
  lathe::Result<void> attach() {{
    auto links = object_.attachAll();
    if (!links) return std::move(links).error();
    links_ = *std::move(links);
    return {{}};
  }}
  void detach() {{ links_.clear(); }}
  lathe::bpf::Object& object() {{ return object_; }}
{2}
 private:
  explicit Skeleton(lathe::bpf::Object object) : object_(std::move(object)) {{}}
  static std::span<const unsigned char> bytes() {{
    static constexpr unsigned char all[] = {{{3}
    }};
    return all;
  }}
  lathe::bpf::Object object_;
  std::vector<lathe::bpf::Link> links_;
}};

}}  // namespace {0}
)",
        name, cxx_.text(), members_, bytesText(elf));
  }

 private:
  void members() {
    for (const Program& program : object_.programs()) {
      if (program.kind() == "syscall") defineContext(program.name());
      members_ += fmt::format(
          "\n  /// SEC(\"{}\")\n  lathe::Result<lathe::bpf::Program> {}() const {{ return object_.program(\"{}\"); "
          "}}\n",
          program.section(), detail::cxxName(program.name()), program.name());
    }
    for (const RawMap& map : object_.maps()) {
      if (map.isInternal()) continue;
      const MapTypes types = typesOfMap(types_, map.name());
      const bool typed = types_.sizeOf(types.key) == map.keyBytes() && types_.sizeOf(types.value) == map.valueBytes() &&
                         map.keyBytes() != 0 && map.valueBytes() != 0;
      std::string type = "lathe::bpf::RawMap", call = "rawMap";
      if (typed) {
        cxx_.define(types.key);
        cxx_.define(types.value);
        const std::string arguments =
            fmt::format("<{}, {}>", valueType(types_, cxx_, types.key), valueType(types_, cxx_, types.value));
        type = "lathe::bpf::Map" + arguments;
        call = "map" + arguments;
      }
      members_ +=
          fmt::format("\n  /// {} of {} entries\n  lathe::Result<{}> {}() const {{ return object_.{}(\"{}\"); }}\n",
                      map.kind(), map.maxEntries(), type, detail::cxxName(map.name()), call, map.name());
      if (types.record != 0) reader(map, types.record);
    }
    for (const char* section : {".rodata", ".data", ".bss"}) {
      for (const detail::BtfMember& variable : types_.members(types_.find(detail::BtfKind::section, section))) {
        // Texts of the compiler's, and what is static in a function.
        if (!isIdentifier(variable.name) || variable.name.starts_with("_ZZ")) continue;
        cxx_.define(variable.type);
        const std::string type = valueType(types_, cxx_, types_.unqualified(variable.type));
        const std::string note =
            std::string_view(section) == ".rodata" ? "a constant: set it between open() and load()" : "a variable";
        members_ +=
            fmt::format("\n  /// {}\n  lathe::Result<{}*> {}() const {{ return object_.global<{}>(\"{}\"); }}\n", note,
                        type, detail::cxxName(variable.name), type, variable.name);
      }
    }
  }

  /// A function that opens a buffer whose records are all of one type.
  void reader(const RawMap& map, std::uint32_t record) {
    const bool isRing = map.kind() == "ringbuf";
    if (!isRing && map.kind() != "perf_event_array") return;
    cxx_.define(record);
    const std::string type = valueType(types_, cxx_, record), name = detail::cxxName(map.name());
    const std::string_view reader = isRing ? "lathe::bpf::RingBuffer" : "lathe::bpf::PerfBuffer";
    members_ += fmt::format(
        R"(  /// Gives its records to `take`, by RingBuffer's or PerfBuffer's poll() and consume().
  lathe::Result<{0}> {1}(std::function<void(const {2}&)> take) const {{
    const auto map = {1}();
    if (!map) return map.error();
    return {0}::openFor<{2}>(*map, std::move(take));
  }}
)",
        reader, name, type);
  }

  /// The structure that a program is run on: the caller's, where the kernel's types are of no use to it.
  void defineContext(std::string_view program) {
    const std::uint32_t prototype = types_.type(types_.find(detail::BtfKind::function, program)).to;
    const auto parameters = types_.members(prototype);
    if (parameters.empty()) return;
    const detail::BtfType type = types_.type(types_.stripped(parameters.front().type));
    if (type.kind == detail::BtfKind::pointer) cxx_.define(type.to);
  }

  const detail::Btf& types_;
  detail::CxxTypes cxx_;
  const Object& object_;
  std::string members_;
};

}  // namespace

Result<std::string> cxxSkeleton(std::span<const std::byte> elf, const std::string& name) {
  if (!isIdentifier(name)) {
    return Error{.code = ErrorCode::InvalidArgument,
                 .message = fmt::format("skeleton: '{}' is no name of a namespace", name),
                 .target = "bpf"};
  }
  auto types = Types::ofObject(elf);
  if (!types) return std::move(types).error();
  auto object = Object::open(elf);
  if (!object) return std::move(object).error();
  return Writer(types->data_->types, *object).write(elf, name);
}

}  // namespace lathe::bpf
