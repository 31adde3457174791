// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The header that `--c-skeleton` writes: names, members and functions are those of `bpftool gen skeleton`, so that
// programs written for one work with the other. It needs libbpf only, and is C11 and C++.
#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include <fmt/format.h>

#include <lathe/bpf_host.h>
#include <lathe/bpf_types.h>

#include "runtimes/bpf/object_state.h"
#include "runtimes/bpf/types/cxx_types.h"

namespace lathe::bpf {
namespace {

/// "count_bp.rodata" → "rodata": what bpftool calls a map of variables.
std::string memberOf(const RawMap& map) {
  const std::string name(map.name());
  if (!map.isInternal()) return name;
  return detail::identifierOf(name.substr(std::min(name.find('.') + 1, name.size())));
}

std::string bytesText(std::span<const std::byte> bytes) {
  std::string out;
  constexpr std::size_t perLine = 24;
  for (std::size_t i = 0; i < bytes.size(); ++i)
    out += fmt::format("{}\\{:03o}", i % perLine == 0 ? (i == 0 ? "\n    \"" : "\"\n    \"") : "",
                       static_cast<unsigned>(bytes[i]));
  return out + '"';
}

class Writer {
 public:
  Writer(const detail::Btf& types, const Object& object, const std::string& name)
      : types_(types), cxx_(types, detail::Readers::both), object_(object), name_(name) {
    cxx_.reserve(name);
  }

  std::string write(std::span<const std::byte> elf) {
    defineTypes();
    visitMaps();
    visitPrograms();
    const std::string definitions = cxx_.definitions();
    const std::string types = cxx_.declarations() + typesText(definitions);
    const std::string list =
        fmt::format("{}{}{}{}", group("maps", maps_), group("progs", programs_), group("links", links_), sections_);
    const detail::MacroGuard guard = detail::macroGuard(types + list);
    return fmt::format(
        R"(/* Made from a BPF object by `lathe compile --c-skeleton`; not to be changed by hand. */
#ifndef LATHE_SKELETON_{0}
#define LATHE_SKELETON_{0}

#include <assert.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

{8}{1}
struct {0} {{
  struct bpf_object_skeleton *skeleton;
  struct bpf_object *obj;
{2}
#ifdef __cplusplus
  static inline struct {0} *open(const struct bpf_object_open_opts *opts = nullptr);
  static inline struct {0} *open_and_load();
  static inline int load(struct {0} *skel);
  static inline int attach(struct {0} *skel);
  static inline void detach(struct {0} *skel);
  static inline void destroy(struct {0} *skel);
  static inline const void *elf_bytes(size_t *sz);
#endif
}};

static inline const void *{0}__elf_bytes(size_t *sz) {{
  *sz = {3};
  return (const void *){4};
}}

static inline void {0}__destroy(struct {0} *obj) {{
  if (!obj) return;
  if (obj->skeleton) bpf_object__destroy_skeleton(obj->skeleton);
  free(obj);
}}

static inline int {0}__create_skeleton(struct {0} *obj) {{
  struct bpf_object_skeleton *s = (struct bpf_object_skeleton *)calloc(1, sizeof(*s));
  if (!s) return -ENOMEM;
  s->sz = sizeof(*s);
  s->name = "{0}";
  s->obj = &obj->obj;
  s->map_cnt = {5};
  s->map_skel_sz = sizeof(*s->maps);
  s->prog_cnt = {6};
  s->prog_skel_sz = sizeof(*s->progs);
  /* One more than there are: calloc(0) may give null. */
  s->maps = (struct bpf_map_skeleton *)calloc((size_t)s->map_cnt + 1, sizeof(*s->maps));
  s->progs = (struct bpf_prog_skeleton *)calloc((size_t)s->prog_cnt + 1, sizeof(*s->progs));
  if (!s->maps || !s->progs) {{
    bpf_object__destroy_skeleton(s);
    return -ENOMEM;
  }}
{7}  s->data = (void *){0}__elf_bytes(&s->data_sz);
  obj->skeleton = s;
  return 0;
}}

static inline struct {0} *{0}__open_opts(const struct bpf_object_open_opts *opts) {{
  struct {0} *obj = (struct {0} *)calloc(1, sizeof(*obj));
  int err = obj ? {0}__create_skeleton(obj) : -ENOMEM;
  if (!err) err = bpf_object__open_skeleton(obj->skeleton, opts);
  if (!err) return obj;
  {0}__destroy(obj);
  errno = -err;
  return NULL;
}}

static inline struct {0} *{0}__open(void) {{ return {0}__open_opts(NULL); }}

static inline int {0}__load(struct {0} *obj) {{ return bpf_object__load_skeleton(obj->skeleton); }}

static inline struct {0} *{0}__open_and_load(void) {{
  struct {0} *obj = {0}__open();
  int err = obj ? {0}__load(obj) : 0;
  if (!err) return obj;
  {0}__destroy(obj);
  errno = -err;
  return NULL;
}}

static inline int {0}__attach(struct {0} *obj) {{ return bpf_object__attach_skeleton(obj->skeleton); }}

static inline void {0}__detach(struct {0} *obj) {{ bpf_object__detach_skeleton(obj->skeleton); }}

#ifdef __cplusplus
inline struct {0} *{0}::open(const struct bpf_object_open_opts *opts) {{ return {0}__open_opts(opts); }}
inline struct {0} *{0}::open_and_load() {{ return {0}__open_and_load(); }}
inline int {0}::load(struct {0} *skel) {{ return {0}__load(skel); }}
inline int {0}::attach(struct {0} *skel) {{ return {0}__attach(skel); }}
inline void {0}::detach(struct {0} *skel) {{ {0}__detach(skel); }}
inline void {0}::destroy(struct {0} *skel) {{ {0}__destroy(skel); }}
inline const void *{0}::elf_bytes(size_t *sz) {{ return {0}__elf_bytes(sz); }}
#endif

{9}#endif
)",
        name_, types, list, elf.size(), bytesText(elf), object_.maps().size(), object_.programs().size(), setup_,
        guard.before + std::string(cxx_.words().first), std::string(cxx_.words().second) + guard.after);
  }

 private:
  static std::string group(std::string_view name, const std::string& members) {
    return members.empty() ? "" : fmt::format("  struct {{\n{}  }} {};\n", members, name);
  }

  /// Definitions of what the variables contain are there on demand only, as C has no way to ask for those of the
  /// program's own headers; bpftool writes none.
  [[nodiscard]] std::string typesText(const std::string& definitions) const {
    if (definitions.empty()) return "";
    std::string list;
    for (const std::string& one : needed_) list += (list.empty() ? "" : ", ") + one;
    return fmt::format(
        "/* The types of variables: {}. The program's own headers define them before this one,\n"
        "   or LATHE_SKELETON_TYPES is defined, and they are here. */\n#ifdef LATHE_SKELETON_TYPES\n{}#endif\n",
        list, definitions);
  }

  /// Those in memory that the program sees. As with bpftool, static ones are the object's own.
  [[nodiscard]] std::vector<detail::BtfMember> variablesOf(const RawMap& map) const {
    const std::string section = "." + std::string(map.name()).substr(std::string(map.name()).find('.') + 1);
    std::vector<detail::BtfMember> out = types_.members(types_.find(detail::BtfKind::section, section));
    std::erase_if(out, [](const detail::BtfMember& variable) { return variable.isStatic; });
    return out;
  }

  /// All types before the first text: names depend on what else there is.
  void defineTypes() {
    for (const RawMap& map : object_.maps()) {
      if (!map.isInternal()) continue;
      for (const detail::BtfMember& variable : variablesOf(map)) {
        cxx_.define(types_.unqualified(variable.type));
        std::uint32_t type = types_.unqualified(variable.type);
        while (types_.type(type).kind == detail::BtfKind::array) type = types_.unqualified(types_.type(type).to);
        const detail::BtfKind kind = types_.type(types_.stripped(type)).kind;
        const bool isCompound = kind == detail::BtfKind::structure || kind == detail::BtfKind::union_ ||
                                kind == detail::BtfKind::enumeration || kind == detail::BtfKind::enumeration64;
        if (isCompound && !types_.type(type).name.empty()) needed_.insert(cxx_.declaration(type, ""));
      }
    }
  }

  void visitMaps() {
    std::size_t index = 0;
    // Those of variables first: a map of the program's may have the same name.
    std::map<std::string, std::string> members;
    for (const bool isInternal : {true, false})
      for (const RawMap& map : object_.maps())
        if (map.isInternal() == isInternal)
          members[std::string(map.name())] = cxx_.memberName(memberOf(map), mapNames_);
    for (const RawMap& map : object_.maps()) {
      const std::string& member = members[std::string(map.name())];
      maps_ += fmt::format("    struct bpf_map *{};\n", member);
      setup_ += fmt::format("  s->maps[{0}].name = {1};\n  s->maps[{0}].map = &obj->maps.{2};\n", index,
                            detail::quoted(map.name()), member);
      if (map.isInternal()) {
        setup_ += fmt::format("  s->maps[{}].mmaped = (void **)&obj->{};\n", index, member);
        visitSection(map, member);
      }
      ++index;
    }
  }

  /// The variables of a section as they lie in memory.
  void visitSection(const RawMap& map, const std::string& member) {
    std::string fields;
    std::uint64_t at = 0;
    int pads = 0;
    detail::Names names;
    const auto pad = [&](std::uint64_t to) {
      if (to > at) fields += fmt::format("    char __pad{}[{}];\n", pads++, to - at);
    };
    constexpr unsigned byteBits = 8;
    for (const detail::BtfMember& variable : variablesOf(map)) {
      const std::uint64_t offset = variable.bitOffset / byteBits;
      if (offset < at) continue;
      const std::uint32_t type = types_.unqualified(variable.type);
      // As bpftool does it: processes of 32 bits align 8 bytes to 4.
      const std::uint64_t align = std::clamp<std::uint64_t>(cxx_.alignOf(type), 1, 4);
      if ((at + align - 1) / align * align != offset) pad(offset);
      std::string name = cxx_.memberName(variable.name, names);
      // A variable whose type BTF does not know.
      if (types_.type(types_.stripped(type)).kind == detail::BtfKind::none)
        fields += fmt::format("    unsigned char {}[{}];\n", name, variable.bytes);
      else
        fields += fmt::format("    {};\n", cxx_.declaration(type, std::move(name)));
      at = offset + variable.bytes;
    }
    sections_ += fmt::format("  struct {}__{} {{\n{}  }} *{};\n", name_, member, fields, member);
  }

  void visitPrograms() {
    std::size_t index = 0;
    detail::Names names;
    for (const Program& program : object_.programs()) {
      const std::string name = cxx_.memberName(program.name(), names);
      programs_ += fmt::format("    struct bpf_program *{};\n", name);
      links_ += fmt::format("    struct bpf_link *{};\n", name);
      setup_ += fmt::format(
          "  s->progs[{0}].name = {2};\n  s->progs[{0}].prog = &obj->progs.{1};\n"
          "  s->progs[{0}].link = &obj->links.{1};\n",
          index++, name, detail::quoted(program.name()));
    }
  }

  const detail::Btf& types_;
  detail::CxxTypes cxx_;
  const Object& object_;
  const std::string& name_;
  detail::Names mapNames_;
  std::set<std::string> needed_;  ///< types of variables
  std::string maps_, programs_, links_, sections_, setup_;
};

}  // namespace

Result<std::string> cSkeleton(std::span<const std::byte> elf, const std::string& name) {
  if (!detail::isIdentifier(name)) {
    return Error{.code = ErrorCode::InvalidArgument,
                 .message = fmt::format("skeleton: '{}' is no name of a structure", name),
                 .target = "bpf"};
  }
  auto object = Object::open(elf, {.name = name});
  if (!object) return std::move(object).error();
  auto types = detail::typesOf(*object->state_);
  if (!types) return std::move(types).error();
  return Writer(*types, *object, detail::outerName(name)).write(elf);
}

}  // namespace lathe::bpf
