// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Records from this process to programs. The kernel's pages are those of a ring buffer with the roles exchanged
// (BPF_MAP_TYPE_USER_RINGBUF).
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "runtimes/bpf/maps/ring_pages.h"
#include "runtimes/bpf/object_state.h"

namespace lathe::bpf {

struct UserRingBuffer::State : RingPages {
  using RingPages::RingPages;
};

UserRingBuffer::UserRingBuffer(std::unique_ptr<State> state) : state_(std::move(state)) {}
UserRingBuffer::UserRingBuffer(UserRingBuffer&&) noexcept = default;
UserRingBuffer& UserRingBuffer::operator=(UserRingBuffer&&) noexcept = default;
UserRingBuffer::~UserRingBuffer() = default;

Result<UserRingBuffer> UserRingBuffer::open(const RawMap& map) {
  if (map.descriptor() < 0) return map.notLoaded();
  if (map.kind() != "user_ringbuf")
    return Error{.code = ErrorCode::InvalidArgument,
                 .message = fmt::format("map '{}': it is a {}, no ring buffer of user records", map.name(), map.kind()),
                 .target = "bpf"};
  auto state = std::make_unique<State>(map);
  if (!state->open(/*reads=*/false)) return map.failure(-errno, "opening the ring buffer");
  return UserRingBuffer(std::move(state));
}

Result<void> UserRingBuffer::send(std::span<const std::byte> record) {
  constexpr std::size_t headerBytes = RingPages::headerBytes;
  const std::uint64_t room = RingPages::roomOf(record.size());
  const auto refused = [&](ErrorCode code, std::string_view why) {
    return Error{.code = code,
                 .message = fmt::format("map '{}': a record of {} bytes {}", state_->map.name(), record.size(), why),
                 .target = "bpf"};
  };
  if (room > state_->bytes) return refused(ErrorCode::InvalidArgument, "is longer than the buffer");
  const std::uint64_t taken = __atomic_load_n(static_cast<const std::uint64_t*>(state_->reader), __ATOMIC_ACQUIRE);
  auto* const position = static_cast<std::uint64_t*>(state_->writer);
  const std::uint64_t at = *position;  // this thread's own
  if (at - taken + room > state_->bytes)
    return refused(ErrorCode::ResourceLimit, "finds no room; the programs have to take those before");
  std::byte* const data = static_cast<std::byte*>(state_->writer) + state_->page + (at & (state_->bytes - 1));
  const std::uint64_t header = record.size();
  std::memcpy(data, &header, headerBytes);
  if (!record.empty()) std::memcpy(data + headerBytes, record.data(), record.size());
  __atomic_store_n(position, at + room, __ATOMIC_RELEASE);
  return {};
}

}  // namespace lathe::bpf
