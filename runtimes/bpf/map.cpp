// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps by their bytes, and ring buffers.
#include <linux/bpf.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "runtimes/bpf/object_state.h"

namespace lathe::bpf {
namespace {

constexpr std::uint64_t flagsOf(UpdateMode mode) {
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

int RawMap::descriptor() const noexcept {
  return object_->loaded ? std::max(object_->library.bpf_map__fd(handle_), -1) : -1;
}

std::uint32_t RawMap::maxEntries() const noexcept {
  return object_->library.bpf_map__max_entries(handle_);
}

Error RawMap::failure(int status, std::string_view doing) const {
  return detail::bpfError(status, fmt::format("map '{}': {}", name_, doing));
}

Result<void> RawMap::setMaxEntries(std::uint32_t entries) const {
  const int status = object_->library.bpf_map__set_max_entries(handle_, entries);
  if (status < 0) return failure(status, "its size is set before it is loaded");
  return {};
}

Result<void> RawMap::check(std::span<const std::byte> key, std::size_t value, bool hasValue) const {
  std::string wrong;
  if (descriptor() < 0)
    wrong = "its object is not loaded; call load() first";
  else if (key.size() != keyBytes_)
    wrong = fmt::format("a key has {} bytes, not {}", keyBytes_, key.size());
  else if (hasValue && value != copies_ * stride_)
    wrong = fmt::format("a value has {} bytes, not {}", copies_ * stride_, value);
  if (wrong.empty()) return {};
  return Error{
      .code = ErrorCode::InvalidArgument, .message = fmt::format("map '{}': {}", name_, wrong), .target = "bpf"};
}

Result<bool> RawMap::lookup(std::span<const std::byte> key, std::span<std::byte> value) const {
  if (auto fits = check(key, value.size(), true); !fits) return std::move(fits).error();
  const int status = object_->library.bpf_map_lookup_elem(descriptor(), key.data(), value.data());
  if (status == -ENOENT) return false;
  if (status < 0) return failure(status, "reading a value");
  return true;
}

Result<void> RawMap::update(std::span<const std::byte> key, std::span<const std::byte> value, UpdateMode mode) const {
  if (auto fits = check(key, value.size(), true); !fits) return fits;
  const int status = object_->library.bpf_map_update_elem(descriptor(), key.data(), value.data(), flagsOf(mode));
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
  const int status = object_->library.bpf_map_delete_elem(descriptor(), key.data());
  if (status == -ENOENT) return false;
  if (status == -EINVAL) return failure(status, "erasing a key, which this kind of map has not");
  if (status < 0) return failure(status, "erasing a key");
  return true;
}

Result<bool> RawMap::nextKey(std::span<const std::byte> key, std::span<std::byte> next) const {
  if (auto fits = check(key.empty() ? std::span<const std::byte>(next) : key, 0, false); !fits)
    return std::move(fits).error();
  const int status =
      object_->library.bpf_map_get_next_key(descriptor(), key.empty() ? nullptr : key.data(), next.data());
  if (status == -ENOENT) return false;
  if (status == -ENOTSUP || status == -524)
    return failure(status, "going over its keys, which this kind of map has not");
  if (status < 0) return failure(status, "going over its keys");
  return true;
}

Result<void> RawMap::forEach(
    const std::function<bool(std::span<const std::byte>, std::span<const std::byte>)>& each) const {
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
  const detail::LibbpfMessages messages(object_->library);
  const int status = object_->library.bpf_map__pin(handle_, path.c_str());
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
  if (auto fits = check(std::vector<std::byte>(keyBytes_), 0, false); !fits) return std::move(fits).error();
  const detail::LibbpfMessages messages(object_->library);
  bpf_link* const made = object_->library.bpf_map__attach_struct_ops(handle_);
  if (!made) return detail::bpfError(detail::lastStatus(), fmt::format("map '{}': registering it", name_));
  auto link = std::make_unique<detail::LinkState>(object_->library);
  link->what = fmt::format("map '{}'", name_);
  link->object = object_;
  link->links.push_back(made);
  return Link(std::move(link));
}

struct RingBuffer::State {
  explicit State(std::shared_ptr<detail::ObjectState> of, Take with) : object(std::move(of)), take(std::move(with)) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    if (buffer) object->library.ring_buffer__free(buffer);
  }
  std::shared_ptr<detail::ObjectState> object;
  Take take;
  std::string name;
  ring_buffer* buffer = nullptr;
};

RingBuffer::RingBuffer(std::unique_ptr<State> state) : state_(std::move(state)) {}
RingBuffer::RingBuffer(RingBuffer&&) noexcept = default;
RingBuffer& RingBuffer::operator=(RingBuffer&&) noexcept = default;
RingBuffer::~RingBuffer() = default;

Result<RingBuffer> RingBuffer::open(const RawMap& map, Take take) {
  if (map.kind() != "ringbuf" || map.descriptor() < 0) {
    return Error{
        .code = ErrorCode::InvalidArgument,
        .message = fmt::format("map '{}': {}", map.name(),
                               map.kind() == "ringbuf" ? "its object is not loaded; call load() first"
                                                       : fmt::format("it is a {}, no ring buffer", map.kind())),
        .target = "bpf"};
  }
  auto state = std::make_unique<State>(map.object_, std::move(take));
  state->name = map.name();
  const auto give = [](void* context, void* data, std::size_t size) noexcept {
    static_cast<State*>(context)->take({static_cast<const std::byte*>(data), size});
    return 0;
  };
  state->buffer = state->object->library.ring_buffer__new(map.descriptor(), give, state.get(), nullptr);
  if (!state->buffer) return map.failure(detail::lastStatus(), "opening the ring buffer");
  return RingBuffer(std::move(state));
}

Result<std::size_t> RingBuffer::consume() {
  const int got = state_->object->library.ring_buffer__consume(state_->buffer);
  if (got < 0) return detail::bpfError(got, fmt::format("map '{}': reading the ring buffer", state_->name));
  return static_cast<std::size_t>(got);
}

Result<std::size_t> RingBuffer::poll(int milliseconds) {
  const int got = state_->object->library.ring_buffer__poll(state_->buffer, milliseconds);
  if (got == -EINTR) return std::size_t{0};
  if (got < 0) return detail::bpfError(got, fmt::format("map '{}': waiting for the ring buffer", state_->name));
  return static_cast<std::size_t>(got);
}

}  // namespace lathe::bpf
