// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The header that `--cxx-skeleton` writes.
#include <vector>

#include <fmt/format.h>

#include <lathe/bpf_host.h>

#include "runtimes/bpf/types/layout.h"
#include "runtimes/bpf/types_data.h"

namespace lathe::bpf {
namespace {

std::string bytesText(std::span<const std::byte> bytes) {
  std::string out;
  constexpr std::size_t perLine = 24;
  for (std::size_t i = 0; i < bytes.size(); ++i)
    out += fmt::format("{}{},", i % perLine == 0 ? "\n    " : "", static_cast<unsigned>(bytes[i]));
  return out;
}

class Writer {
 public:
  Writer(const detail::Btf& types, const Object& object)
      : types_(types), cxx_(types, detail::Readers::cxx), object_(object) {
    cxx_.reserve("Skeleton");
  }

  std::string write(std::span<const std::byte> elf, const std::string& name) {
    define();
    const std::string types = cxx_.declarations() + cxx_.definitions();
    members();
    const detail::MacroGuard guard = detail::macroGuard(types + members_);
    return fmt::format(
        R"(// Made from a BPF object by `lathe compile --cxx-skeleton`; not to be changed by hand.
#pragma once

#include <array>
#include <functional>
#include <vector>

#include <lathe/bpf_host.h>

{4}namespace {0} {{

{1}
/// The programs, maps and variables of one object: open(), load(), attach(). All that it attached is detached when it
/// goes. Move-only.
class Skeleton {{
 public:
  static ::lathe::Result<Skeleton> open(const ::lathe::bpf::OpenOptions& options = {{}}) {{
    static constexpr unsigned char all[] = {{{3}
    }};
    auto object = ::lathe::bpf::Object::open(::std::as_bytes(::std::span(all)), options);
    if (!object) return ::std::move(object).error();
    return Skeleton(*::std::move(object));
  }}
  ::lathe::Result<void> load() {{ return opened_.load(); }}
  /// Attaches every program whose section says where.
  ::lathe::Result<void> attach() {{
    auto links = opened_.attachAll();
    if (!links) return ::std::move(links).error();
    attached_ = *::std::move(links);
    return {{}};
  }}
  void detach() {{ attached_.clear(); }}
  ::lathe::bpf::Object& object() {{ return opened_; }}
{2}
 private:
  explicit Skeleton(::lathe::bpf::Object object) : opened_(::std::move(object)) {{}}
  ::lathe::bpf::Object opened_;
  ::std::vector<::lathe::bpf::Link> attached_;
}};

}}  // namespace {0}
{5})",
        name, types, members_, bytesText(elf), guard.before, guard.after);
  }

 private:
  struct Variable {
    detail::BtfMember member;
    bool isConstant = false;
  };

  /// All types before the first text: names depend on what else there is.
  void define() {
    for (const Program& program : object_.programs())
      if (program.kind() == "syscall") defineContext(program.name());
    for (const RawMap& map : object_.maps()) {
      if (map.isInternal()) continue;
      const detail::MapDefinition types = detail::definitionOf(types_, map.name());
      const std::string name = detail::identifierOf(map.name());
      if (isTyped(map, types)) {
        define(types.key, name + "_key");
        define(types.value, name + "_value");
      }
      if (types.record != 0) define(types.record, name + "_record");
    }
    for (const std::string_view section : {".rodata", ".data", ".bss"}) {
      for (const detail::BtfMember& one : types_.members(types_.find(detail::BtfKind::section, section))) {
        // Texts of the compiler's, and what is static in a function.
        if (!detail::isIdentifier(one.name) || one.name.starts_with("_ZZ")) continue;
        define(one.type, detail::sourceName(one.name) + "_type");
        variables_.push_back({one, section == ".rodata"});
      }
    }
  }
  void define(std::uint32_t type, std::string_view name) {
    cxx_.nameUnnamed(type, name);
    cxx_.define(type);
  }

  [[nodiscard]] bool isTyped(const RawMap& map, const detail::MapDefinition& types) const {
    return types_.sizeOf(types.key) == map.keyBytes() && types_.sizeOf(types.value) == map.valueBytes() &&
           map.keyBytes() != 0 && map.valueBytes() != 0;
  }

  /// Arrays are no values in C++: they go into one that is. `bytes`: of a variable whose type BTF does not know.
  std::string valueType(std::uint32_t number, std::uint64_t bytes = 0) {
    const detail::BtfType type = types_.type(types_.stripped(number));
    if (type.kind == detail::BtfKind::array)
      return fmt::format("::std::array<{}, {}>", valueType(types_.unqualified(type.to)), type.elements);
    if (type.kind == detail::BtfKind::none && bytes != 0) return fmt::format("::std::array<unsigned char, {}>", bytes);
    return cxx_.declaration(types_.unqualified(number), "");
  }

  /// A function's name. Typedefs of the same name would be hidden from what follows.
  std::string accessor(std::string_view symbol) {
    std::string wanted = detail::sourceName(symbol);
    while (cxx_.isOrdinary(wanted)) wanted += '_';
    return names_.claim(wanted);
  }

  void members() {
    for (const Program& program : object_.programs()) {
      members_ += fmt::format(
          "\n  /// SEC({})\n  ::lathe::Result<::lathe::bpf::Program> {}() const {{ return opened_.program({}); }}\n",
          detail::quoted(program.section()), accessor(program.name()), detail::quoted(program.name()));
    }
    for (const RawMap& map : object_.maps()) {
      if (map.isInternal()) continue;
      const detail::MapDefinition types = detail::definitionOf(types_, map.name());
      std::string type = "::lathe::bpf::RawMap", call = "rawMap";
      if (isTyped(map, types)) {
        const std::string arguments = fmt::format("<{}, {}>", valueType(types.key), valueType(types.value));
        type = "::lathe::bpf::Map" + arguments;
        call = "map" + arguments;
      }
      const std::string name = accessor(map.name());
      members_ +=
          fmt::format("\n  /// {} of {} entries\n  ::lathe::Result<{}> {}() const {{ return opened_.{}({}); }}\n",
                      map.kind(), map.maxEntries(), type, name, call, detail::quoted(map.name()));
      if (types.record != 0) reader(map, types.record, name);
    }
    for (const auto& [variable, isConstant] : variables_) {
      const std::string type = valueType(types_.unqualified(variable.type), variable.bytes);
      members_ += fmt::format("\n  /// {}\n  ::lathe::Result<{}*> {}() const {{ return opened_.global<{}>({}); }}\n",
                              isConstant ? "a constant: set it between open() and load()" : "a variable", type,
                              accessor(variable.name), type, detail::quoted(variable.name));
    }
  }

  /// A function that opens a buffer whose records are all of one type.
  void reader(const RawMap& map, std::uint32_t record, const std::string& name) {
    const bool isRing = map.kind() == "ringbuf";
    if (!isRing && map.kind() != "perf_event_array") return;
    const std::string type = valueType(record);
    const std::string_view reader = isRing ? "::lathe::bpf::RingBuffer" : "::lathe::bpf::PerfBuffer";
    members_ += fmt::format(
        R"(  /// Gives its records to `take`, by RingBuffer's or PerfBuffer's poll() and consume().
  ::lathe::Result<{0}> {1}(::std::function<void(const {2}&)> take) const {{
    const auto buffer = this->{1}();
    if (!buffer) return buffer.error();
    return {0}::openFor<{2}>(*buffer, ::std::move(take));
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
    if (type.kind == detail::BtfKind::pointer) define(type.to, detail::identifierOf(program) + "_context");
  }

  const detail::Btf& types_;
  detail::CxxTypes cxx_;
  const Object& object_;
  std::vector<Variable> variables_;
  /// Of the class's own members and of what its functions use.
  detail::Names names_{"Skeleton", "attach", "detach", "attached_", "load", "object", "opened_", "open"};
  std::string members_;
};

}  // namespace

Result<std::string> cxxSkeleton(std::span<const std::byte> elf, const std::string& name) {
  if (!detail::isIdentifier(name)) {
    return Error{.code = ErrorCode::InvalidArgument,
                 .message = fmt::format("skeleton: '{}' is no name of a namespace", name),
                 .target = "bpf"};
  }
  auto types = Types::ofObject(elf);
  if (!types) return std::move(types).error();
  auto object = Object::open(elf);
  if (!object) return std::move(object).error();
  return Writer(types->data_->types, *object).write(elf, detail::outerName(name));
}

}  // namespace lathe::bpf
