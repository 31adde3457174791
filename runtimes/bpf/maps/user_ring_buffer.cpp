// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Records from this process to programs. The kernel's pages are those of a ring buffer with the roles exchanged
// (BPF_MAP_TYPE_USER_RINGBUF): its position, which is read here, this side's, and the data twice, one behind the other.
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "runtimes/bpf/object_state.h"

namespace lathe::bpf {

struct UserRingBuffer::State {
  explicit State(const RawMap& of) : map(of) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    if (reader != MAP_FAILED) ::munmap(reader, page);
    if (writer != MAP_FAILED) ::munmap(writer, page + 2 * bytes);
  }
  bool open() {
    const int descriptor = map.descriptor();
    reader = ::mmap(nullptr, page, PROT_READ, MAP_SHARED, descriptor, 0);
    writer =
        ::mmap(nullptr, page + 2 * bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, static_cast<off_t>(page));
    return reader != MAP_FAILED && writer != MAP_FAILED;
  }

  RawMap map;
  std::size_t page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  std::size_t bytes = map.maxEntries();
  void* reader = MAP_FAILED;
  void* writer = MAP_FAILED;
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
  if (!state->open()) return map.failure(-errno, "opening the ring buffer");
  return UserRingBuffer(std::move(state));
}

Result<void> UserRingBuffer::send(std::span<const std::byte> record) {
  constexpr std::uint64_t headerBytes = 8, alignment = 8;
  const std::uint64_t room = (record.size() + headerBytes + alignment - 1) / alignment * alignment;
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
