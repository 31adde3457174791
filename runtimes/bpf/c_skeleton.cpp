// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The header that `--c-skeleton` writes: names, members and functions are those of `bpftool gen skeleton`, so that
// programs written for one work with the other. It needs libbpf only, and is C11 and C++.
#include <algorithm>
#include <cctype>

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
  std::string out = name.substr(std::min(name.find('.') + 1, name.size()));
  for (char& letter : out)
    if (std::isalnum(static_cast<unsigned char>(letter)) == 0) letter = '_';
  return out;
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
      : types_(types), cxx_(types), object_(object), name_(name) {}

  std::string write(std::span<const std::byte> elf) {
    visitMaps();
    visitPrograms();
    const std::string list =
        fmt::format("{}{}{}{}", group("maps", maps_), group("progs", programs_), group("links", links_), sections_);
    return fmt::format(
        R"(/* Made from a BPF object by `lathe compile --c-skeleton`; not to be changed by hand. */
#ifndef LATHE_SKELETON_{0}
#define LATHE_SKELETON_{0}

#include <assert.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

{1}
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

#endif
)",
        name_, cxx_.text(), list, elf.size(), bytesText(elf), object_.maps().size(), object_.programs().size(), setup_);
  }

 private:
  static std::string group(std::string_view name, const std::string& members) {
    return members.empty() ? "" : fmt::format("  struct {{\n{}  }} {};\n", members, name);
  }

  void visitMaps() {
    std::size_t index = 0;
    for (const RawMap& map : object_.maps()) {
      const std::string member = memberOf(map);
      maps_ += fmt::format("    struct bpf_map *{};\n", member);
      setup_ += fmt::format("  s->maps[{0}].name = \"{1}\";\n  s->maps[{0}].map = &obj->maps.{2};\n", index, map.name(),
                            member);
      if (map.isInternal()) {
        setup_ += fmt::format("  s->maps[{}].mmaped = (void **)&obj->{};\n", index, member);
        visitSection("." + std::string(map.name()).substr(std::string(map.name()).find('.') + 1), member);
      }
      ++index;
    }
  }

  /// The variables of a section as they lie in memory.
  void visitSection(const std::string& section, const std::string& member) {
    std::string fields;
    std::uint64_t at = 0;
    int pads = 0;
    const auto pad = [&](std::uint64_t to) {
      if (to > at) fields += fmt::format("    char __pad{}[{}];\n", pads++, to - at);
    };
    constexpr unsigned byteBits = 8;
    for (const detail::BtfMember& variable : types_.members(types_.find(detail::BtfKind::section, section))) {
      const std::uint64_t offset = variable.bitOffset / byteBits;
      std::string identifier(variable.name);
      for (char& letter : identifier)
        if (std::isalnum(static_cast<unsigned char>(letter)) == 0) letter = '_';
      if (offset < at) continue;
      const std::uint32_t type = types_.unqualified(variable.type);
      // As bpftool does it: processes of 32 bits align 8 bytes to 4.
      const std::uint64_t align = std::clamp<std::uint64_t>(cxx_.alignOf(type), 1, 4);
      if ((at + align - 1) / align * align != offset) pad(offset);
      cxx_.define(type);
      fields += fmt::format("    {};\n", cxx_.declaration(type, identifier));
      at = offset + variable.bytes;
    }
    sections_ += fmt::format("  struct {}__{} {{\n{}  }} *{};\n", name_, member, fields, member);
  }

  void visitPrograms() {
    std::size_t index = 0;
    for (const Program& program : object_.programs()) {
      const std::string name(program.name());
      programs_ += fmt::format("    struct bpf_program *{};\n", name);
      links_ += fmt::format("    struct bpf_link *{};\n", name);
      setup_ += fmt::format(
          "  s->progs[{0}].name = \"{1}\";\n  s->progs[{0}].prog = &obj->progs.{1};\n"
          "  s->progs[{0}].link = &obj->links.{1};\n",
          index++, name);
    }
  }

  const detail::Btf& types_;
  detail::CxxTypes cxx_;
  const Object& object_;
  const std::string& name_;
  std::string maps_, programs_, links_, sections_, setup_;
};

}  // namespace

Result<std::string> cSkeleton(std::span<const std::byte> elf, const std::string& name) {
  const bool isIdentifier = !name.empty() && std::isdigit(static_cast<unsigned char>(name.front())) == 0 &&
                            std::ranges::all_of(name, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
  if (!isIdentifier) {
    return Error{.code = ErrorCode::InvalidArgument,
                 .message = fmt::format("skeleton: '{}' is no name of a structure", name),
                 .target = "bpf"};
  }
  auto object = Object::open(elf, {.name = name});
  if (!object) return std::move(object).error();
  auto types = detail::typesOf(*object->state_);
  if (!types) return std::move(types).error();
  return Writer(*types, *object, name).write(elf);
}

}  // namespace lathe::bpf
