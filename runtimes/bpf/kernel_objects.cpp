// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs and maps of the whole kernel, by their numbers.
#include <linux/bpf.h>

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include <lathe/bpf_kernel.h>

#include "runtimes/bpf/object_state.h"
#include "runtimes/bpf/types/btf.h"
#include "runtimes/bpf/types/layout.h"

namespace lathe::bpf {
namespace {

using detail::UniqueDescriptor;

template <std::size_t N>
std::string textIn(const char (&name)[N]) {
  return {name, ::strnlen(name, N)};
}

std::string textOr(const char* text) {
  return text ? text : "";
}

/// The kernel's record of one object. Fields that the kernel is too old for stay 0.
template <class Info>
Result<Info> infoOf(const detail::Libbpf& library, int descriptor, std::string_view what) {
  Info info{};
  std::uint32_t size = sizeof(info);
  const int status = library.bpf_obj_get_info_by_fd(descriptor, &info, &size);
  if (status < 0) return detail::bpfError(status, fmt::format("{}: asking for its record", what));
  return info;
}

/// Calls `each` with a descriptor of every object that `next` lists and `open` still finds.
Result<void> forAll(int (*next)(std::uint32_t, std::uint32_t*), int (*open)(std::uint32_t), std::string_view what,
                    const std::function<Result<void>(int)>& each) {
  for (std::uint32_t id = 0;;) {
    const int status = next(id, &id);
    if (status == -ENOENT) return {};
    if (status < 0) return detail::bpfError(status, fmt::format("bpf: listing {}", what));
    const UniqueDescriptor descriptor(open(id));
    if (descriptor.get() == -ENOENT) continue;
    if (!descriptor.ok()) return detail::bpfError(descriptor.get(), fmt::format("bpf: opening {} by number", what));
    if (auto done = each(descriptor.get()); !done) return done;
  }
}

Result<detail::Btf> typesNumbered(const detail::Libbpf& library, std::uint32_t id) {
  const UniqueDescriptor descriptor(library.bpf_btf_get_fd_by_id(id));
  if (!descriptor.ok()) return detail::bpfError(descriptor.get(), "bpf: opening types by number");
  auto size = infoOf<bpf_btf_info>(library, descriptor.get(), "types");
  if (!size) return std::move(size).error();
  std::vector<std::byte> bytes(size->btf_size);
  bpf_btf_info info{};
  info.btf = reinterpret_cast<std::uintptr_t>(bytes.data());
  info.btf_size = size->btf_size;
  std::uint32_t infoSize = sizeof(info);
  if (const int status = library.bpf_obj_get_info_by_fd(descriptor.get(), &info, &infoSize); status < 0)
    return detail::bpfError(status, "bpf: reading types");
  return detail::Btf::parse(std::move(bytes));
}

}  // namespace

Result<std::vector<LoadedProgram>> loadedPrograms() {
  const auto& library = lathe::detail::libbpf();
  if (!library) return library.error();
  std::vector<LoadedProgram> out;
  const auto add = [&](int descriptor) -> Result<void> {
    auto info = infoOf<bpf_prog_info>(*library, descriptor, "program");
    if (!info) return std::move(info).error();
    out.push_back({.id = info->id,
                   .name = textIn(info->name),
                   .kind = textOr(library->libbpf_bpf_prog_type_str(info->type)),
                   .counts = {info->run_cnt, info->run_time_ns, info->recursion_misses},
                   .loadedAt = info->load_time,
                   .user = info->created_by_uid,
                   .instructions = static_cast<std::uint32_t>(info->xlated_prog_len / sizeof(bpf_insn)),
                   .machineBytes = info->jited_prog_len,
                   .verified = info->verified_insns});
    return {};
  };
  if (auto done = forAll(library->bpf_prog_get_next_id, library->bpf_prog_get_fd_by_id, "programs", add); !done)
    return std::move(done).error();
  return out;
}

Result<std::vector<LoadedMap>> loadedMaps() {
  const auto& library = lathe::detail::libbpf();
  if (!library) return library.error();
  std::vector<LoadedMap> out;
  const auto add = [&](int descriptor) -> Result<void> {
    auto info = infoOf<bpf_map_info>(*library, descriptor, "map");
    if (!info) return std::move(info).error();
    out.push_back({.id = info->id,
                   .name = textIn(info->name),
                   .kind = textOr(library->libbpf_bpf_map_type_str(info->type)),
                   .keyBytes = info->key_size,
                   .valueBytes = info->value_size,
                   .maxEntries = info->max_entries,
                   .hasTypes = info->btf_id != 0 && info->btf_value_type_id != 0});
    return {};
  };
  if (auto done = forAll(library->bpf_map_get_next_id, library->bpf_map_get_fd_by_id, "maps", add); !done)
    return std::move(done).error();
  return out;
}

Result<RawMap> RawMap::ofDescriptor(int descriptor) {
  const auto& library = lathe::detail::libbpf();  // the caller opened it
  UniqueDescriptor own(descriptor);
  auto info = infoOf<bpf_map_info>(*library, own.get(), "map");
  if (!info) return std::move(info).error();
  RawMap map;
  map.name_ = textIn(info->name);
  map.keyBytes_ = info->key_size;
  map.valueBytes_ = info->value_size;
  map.internal_ = map.name_.find('.') != std::string::npos;
  const auto entries = info->max_entries;
  map.open_ = std::make_shared<const detail::OpenMap>(detail::OpenMap{*library, std::move(own), entries});
  map.setKind(info->type);
  return map;
}

Result<RawMap> RawMap::ofId(std::uint32_t id) {
  const auto& library = lathe::detail::libbpf();
  if (!library) return library.error();
  const int descriptor = library->bpf_map_get_fd_by_id(id);
  if (descriptor < 0)
    return detail::bpfError(descriptor, fmt::format("map {}", id), descriptor == -ENOENT ? "there is none" : "");
  return ofDescriptor(descriptor);
}

Result<RawMap> RawMap::ofPin(const std::filesystem::path& path) {
  const auto& library = lathe::detail::libbpf();
  if (!library) return library.error();
  const int descriptor = library->bpf_obj_get(path.c_str());
  if (descriptor < 0) return detail::bpfError(descriptor, fmt::format("{}: opening the pinned map", path.string()));
  auto map = ofDescriptor(descriptor);
  if (!map && map.error().code == ErrorCode::InvalidArgument)
    map.error().message = fmt::format("{}: it is no map", path.string());
  return map;
}

Result<std::uint32_t> RawMap::id() const {
  if (descriptor() < 0) return notLoaded();
  auto info = infoOf<bpf_map_info>(library(), descriptor(), fmt::format("map '{}'", name_));
  if (!info) return std::move(info).error();
  return info->id;
}

Result<RawMap> RawMap::emptyCopy() const {
  if (descriptor() < 0) return notLoaded();
  auto info = infoOf<bpf_map_info>(library(), descriptor(), fmt::format("map '{}'", name_));
  if (!info) return std::move(info).error();
  const lathe::detail::LibbpfMapCreate options{.flags = info->map_flags, .extra = info->map_extra};
  const int made = library().bpf_map_create(info->type, textIn(info->name).c_str(), info->key_size, info->value_size,
                                            info->max_entries, &options);
  if (made < 0) return failure(made, "making an empty one like it");
  return ofDescriptor(made);
}

Result<void> RawMap::setInner(std::span<const std::byte> key, const RawMap& inner) const {
  if (!kind_.ends_with("_of_maps")) return failure(-EINVAL, "it holds no maps");
  if (inner.descriptor() < 0) return inner.notLoaded();
  const int value = inner.descriptor();
  auto set = update(key, std::as_bytes(std::span(&value, 1)));
  if (!set && set.error().code == ErrorCode::InvalidArgument)
    set.error().hint = "the maps in it are all as its definition says: of one kind, sizes and flags";
  return set;
}

Result<std::optional<RawMap>> RawMap::inner(std::span<const std::byte> key) const {
  if (!kind_.ends_with("_of_maps")) return failure(-EINVAL, "it holds no maps");
  std::uint32_t number = 0;
  auto found = lookup(key, std::as_writable_bytes(std::span(&number, 1)));
  if (!found) return std::move(found).error();
  if (!*found) return std::optional<RawMap>();
  auto map = ofId(number);
  if (!map) return std::move(map).error();
  return std::optional<RawMap>(*std::move(map));
}

Result<MapTypes> typesOf(const RawMap& map) {
  const auto& library = lathe::detail::libbpf();
  if (!library) return library.error();
  MapTypes out;
  out.key.size = map.keyBytes();
  out.value.size = map.valueBytes();
  const auto take = [](const detail::Btf& types, std::uint32_t number, TypeLayout& to) {
    if (number == 0) return;
    TypeLayout layout = detail::layoutOf(types, number);
    if (layout.size == to.size) to = std::move(layout);
  };
  if (map.descriptor() < 0) {
    auto types = detail::typesOf(*map.object_);
    if (!types) return std::move(types).error();
    const std::size_t dot = map.name().find('.');
    const std::uint32_t variables =
        map.isInternal() && dot != std::string::npos
            ? types->find(detail::BtfKind::section, std::string_view(map.name()).substr(dot))
            : 0;
    take(*types, library->bpf_map__btf_key_type_id(map.handle_), out.key);
    take(*types, variables != 0 ? variables : library->bpf_map__btf_value_type_id(map.handle_), out.value);
    return out;
  }
  auto info = infoOf<bpf_map_info>(*library, map.descriptor(), fmt::format("map '{}'", map.name()));
  if (!info) return std::move(info).error();
  if (info->btf_id == 0) return out;
  auto types = typesNumbered(*library, info->btf_id);
  if (!types) return std::move(types).error();
  take(*types, info->btf_key_type_id, out.key);
  take(*types, info->btf_value_type_id, out.value);
  return out;
}

}  // namespace lathe::bpf
