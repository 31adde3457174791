// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps by their bytes, one entry at a time; map_batch.cpp has many at a time.
#include <linux/bpf.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "runtimes/bpf/object_state.h"

namespace lathe::bpf {
namespace {

std::uint64_t flagsOf(UpdateMode mode) {
  switch (mode) {
    case UpdateMode::any:
      return BPF_ANY;
    case UpdateMode::onlyNew:
      return BPF_NOEXIST;
    case UpdateMode::onlyPresent:
      return BPF_EXIST;
  }
  return BPF_ANY;
}

}  // namespace

const lathe::detail::Libbpf& RawMap::library() const noexcept {
  return open_ ? open_->library : object_->library;
}

void RawMap::setKind(std::uint32_t kind) {
  const char* const name = library().libbpf_bpf_map_type_str(kind);
  constexpr std::uint32_t arena = 33;  // whose name libbpf 1.1 does not know
  kind_ = name ? name : kind == arena ? "arena" : "";
  perCpu_ = kind == BPF_MAP_TYPE_PERCPU_HASH || kind == BPF_MAP_TYPE_PERCPU_ARRAY ||
            kind == BPF_MAP_TYPE_LRU_PERCPU_HASH || kind == BPF_MAP_TYPE_PERCPU_CGROUP_STORAGE;
  stride_ = valueBytes_;
  if (!perCpu_) return;
  constexpr std::size_t step = 8;  // the kernel aligns each CPU's value so
  stride_ = (stride_ + step - 1) / step * step;
  copies_ = static_cast<std::uint32_t>(std::max(library().libbpf_num_possible_cpus(), 1));
}

int RawMap::descriptor() const noexcept {
  if (open_) return open_->descriptor.get();
  return object_->loaded ? std::max(library().bpf_map__fd(handle_), -1) : -1;
}

std::uint32_t RawMap::maxEntries() const noexcept {
  return open_ ? open_->maxEntries : library().bpf_map__max_entries(handle_);
}

Error RawMap::failure(int status, std::string_view doing) const {
  return detail::bpfError(status, fmt::format("map '{}': {}", name_, doing));
}

Result<void> RawMap::setMaxEntries(std::uint32_t entries) const {
  const int status = open_ ? -EBUSY : library().bpf_map__set_max_entries(handle_, entries);
  if (status < 0) return failure(status, "its size is set before it is loaded");
  return {};
}

Error RawMap::notLoaded() const {
  return {.code = ErrorCode::InvalidArgument,
          .message = fmt::format("map '{}': its object is not loaded; call load() first", name_),
          .target = "bpf"};
}

Result<void> RawMap::check(std::span<const std::byte> key, std::size_t value, bool hasValue) const {
  std::string wrong;
  if (descriptor() < 0) return notLoaded();
  if (key.size() != keyBytes_)
    wrong = fmt::format("a key has {} bytes, not {}", keyBytes_, key.size());
  else if (hasValue && value != copies_ * stride_)
    wrong = fmt::format("a value has {} bytes, not {}", copies_ * stride_, value);
  if (wrong.empty()) return {};
  return Error{
      .code = ErrorCode::InvalidArgument, .message = fmt::format("map '{}': {}", name_, wrong), .target = "bpf"};
}

Result<bool> RawMap::lookup(std::span<const std::byte> key, std::span<std::byte> value) const {
  if (auto fits = check(key, value.size(), true); !fits) return std::move(fits).error();
  const int status = library().bpf_map_lookup_elem(descriptor(), key.data(), value.data());
  if (status == -ENOENT) return false;
  if (status < 0) return failure(status, "reading a value");
  return true;
}

Result<void> RawMap::update(std::span<const std::byte> key, std::span<const std::byte> value, UpdateMode mode) const {
  if (auto fits = check(key, value.size(), true); !fits) return fits;
  const int status = library().bpf_map_update_elem(descriptor(), key.data(), value.data(), flagsOf(mode));
  if (status >= 0) return {};
  const bool isIndex = kind_.find("array") != std::string::npos;
  if (status == -E2BIG)
    return Error{
        .code = isIndex ? ErrorCode::InvalidArgument : ErrorCode::ResourceLimit,
        .message = fmt::format("map '{}': {} {} entries", name_,
                               isIndex ? "the index lies beyond its" : "it is full: it has room for", maxEntries()),
        .hint = isIndex ? "" : "give it more entries (setMaxEntries() before load()), or use an LRU map",
        .target = "bpf"};
  if (status == -EEXIST) return failure(status, "setting a value: the key is there already");
  if (status == -ENOENT) return failure(status, "setting a value: the key is not there");
  return failure(status, "setting a value");
}

Result<bool> RawMap::erase(std::span<const std::byte> key) const {
  if (auto fits = check(key, 0, false); !fits) return std::move(fits).error();
  const int status = library().bpf_map_delete_elem(descriptor(), key.data());
  if (status == -ENOENT) return false;
  if (status == -EINVAL) return failure(status, "erasing a key, which this kind of map has not");
  if (status < 0) return failure(status, "erasing a key");
  return true;
}

Result<bool> RawMap::nextKey(std::span<const std::byte> key, std::span<std::byte> next) const {
  if (auto fits = check(key.empty() ? std::span<const std::byte>(next) : key, 0, false); !fits)
    return std::move(fits).error();
  const int status = library().bpf_map_get_next_key(descriptor(), key.empty() ? nullptr : key.data(), next.data());
  if (status == -ENOENT) return false;
  if (status == -ENOTSUP || status == -524)
    return failure(status, "going over its keys, which this kind of map has not");
  if (status < 0) return failure(status, "going over its keys");
  return true;
}

Result<void> RawMap::forEach(
    const std::function<bool(std::span<const std::byte>, std::span<const std::byte>)>& each) const {
  const auto batches = eachBatch(false, each);
  if (!batches) return batches.error();
  if (*batches == Batch::done) return {};
  std::vector<std::byte> key(keyBytes_), next(keyBytes_), value(copies_ * stride_);
  bool first = true;
  // A key that is erased while it is the last one seen makes the kernel begin again: no more steps than that takes.
  for (std::uint64_t steps = 0; steps < 4 * (std::uint64_t{maxEntries()} + 1); ++steps) {
    auto more = nextKey(first ? std::span<const std::byte>() : std::span<const std::byte>(key), next);
    if (!more) return std::move(more).error();
    if (!*more) return {};
    first = false;
    std::swap(key, next);
    auto found = lookup(key, value);
    if (!found) return std::move(found).error();
    if (*found && !each(key, value)) return {};
  }
  return {};
}

Result<void> RawMap::pin(const std::filesystem::path& path) const {
  if (auto fits = check(std::vector<std::byte>(keyBytes_), 0, false); !fits) return fits;
  const detail::LibbpfMessages messages(library());
  const int status =
      open_ ? library().bpf_obj_pin(descriptor(), path.c_str()) : library().bpf_map__pin(handle_, path.c_str());
  if (status == -EINVAL && messages.reason().find("already") != std::string::npos)
    return failure(status, messages.reason());
  if (status < 0) {
    return Error{
        .code = ErrorCode::FileUnwritable,
        .message = fmt::format("{}: map '{}' cannot be pinned: {}", path.string(), name_, std::strerror(-status)),
        .hint = "pins lie in a mounted BPF file system: mount -t bpf bpf /sys/fs/bpf",
        .target = "bpf"};
  }
  return {};
}

Result<Link> RawMap::attachStructOps() const {
  if (open_) return failure(-EINVAL, "only a map that an object of this process made is registered");
  if (auto fits = check(std::vector<std::byte>(keyBytes_), 0, false); !fits) return std::move(fits).error();
  const detail::LibbpfMessages messages(library());
  // libbpf 1.1 gives the kernel the functions. That registers them, unless the map was made for links, which do.
  bpf_link* const made = library().bpf_map__attach_struct_ops(handle_);
  if (!made) return detail::bpfError(detail::lastStatus(), fmt::format("map '{}': registering it", name_));
  auto link = std::make_unique<detail::LinkState>(library());
  link->what = fmt::format("map '{}'", name_);
  link->object = object_;
  if ((library().bpf_map__map_flags(handle_) & detail::structOpsByLink) == 0) {
    link->links.push_back(made);
    return Link(std::move(link));
  }
  library().bpf_link__disconnect(made);
  (void)library().bpf_link__destroy(made);
  constexpr std::uint32_t structOps = 44;  // enum bpf_attach_type, BPF_STRUCT_OPS
  const int created = library().bpf_link_create(descriptor(), 0, structOps, nullptr);
  if (created < 0) return detail::bpfError(created, fmt::format("map '{}': registering it", name_));
  link->descriptors.emplace_back(created);
  return Link(std::move(link));
}

}  // namespace lathe::bpf
