// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ring buffers, read here, one call of the taker a record, and perf buffers, read by libbpf.
#include <poll.h>

#include <algorithm>
#include <cerrno>

#include <fmt/format.h>

#include "runtimes/bpf/maps/ring_pages.h"
#include "runtimes/bpf/object_state.h"

namespace lathe::bpf {
namespace {

Result<void> checkKind(const RawMap& map, std::string_view kind, std::string_view words) {
  if (map.kind() == kind && map.descriptor() >= 0) return {};
  return Error{.code = ErrorCode::InvalidArgument,
               .message = fmt::format("map '{}': {}", map.name(),
                                      map.kind() == kind ? "its object is not loaded; call load() first"
                                                         : fmt::format("it is a {}, no {}", map.kind(), words)),
               .target = "bpf"};
}

}  // namespace

struct RingBuffer::State : RingPages {
  State(const RawMap& of, Take with) : RingPages(of), take(std::move(with)) {}
  /// Gives what is there, up to a record that is still written, and no more than the buffer holds at once: a taker that
  /// causes records itself would never come back.
  std::size_t consume() {
    constexpr std::uint32_t busy = 1U << 31, discarded = 1U << 30;
    auto* const position = static_cast<std::uint64_t*>(reader);
    const auto* const end = static_cast<const std::uint64_t*>(writer);
    const std::byte* const data = static_cast<const std::byte*>(writer) + page;
    std::size_t count = 0;
    std::uint64_t at = *position;  // this thread's own
    const std::uint64_t most = at + bytes;
    for (std::uint64_t last; at < (last = std::min(__atomic_load_n(end, __ATOMIC_ACQUIRE), most));) {
      while (at < last) {
        const std::byte* const header = data + (at & (bytes - 1));
        const std::uint32_t length = __atomic_load_n(reinterpret_cast<const std::uint32_t*>(header), __ATOMIC_ACQUIRE);
        if (length & busy) return count;
        const std::uint32_t size = length & ~(busy | discarded);
        at += roomOf(size);
        if (!(length & discarded)) {
          take({header + headerBytes, size});
          ++count;
        }
        __atomic_store_n(position, at, __ATOMIC_RELEASE);
      }
    }
    return count;
  }

  Take take;
};

RingBuffer::RingBuffer(std::unique_ptr<State> state) : state_(std::move(state)) {}
RingBuffer::RingBuffer(RingBuffer&&) noexcept = default;
RingBuffer& RingBuffer::operator=(RingBuffer&&) noexcept = default;
RingBuffer::~RingBuffer() = default;

Result<RingBuffer> RingBuffer::open(const RawMap& map, Take take) {
  if (auto fits = checkKind(map, "ringbuf", "ring buffer"); !fits) return std::move(fits).error();
  auto state = std::make_unique<State>(map, std::move(take));
  if (!state->open(/*reads=*/true)) return map.failure(-errno, "opening the ring buffer");
  return RingBuffer(std::move(state));
}

Result<std::size_t> RingBuffer::consume() {
  return state_->consume();
}

Result<std::size_t> RingBuffer::poll(int milliseconds) {
  pollfd waited{.fd = state_->map.descriptor(), .events = POLLIN, .revents = 0};
  const int ready = ::poll(&waited, 1, milliseconds);
  if (ready < 0 && errno != EINTR) return state_->map.failure(-errno, "waiting for the ring buffer");
  return ready > 0 ? state_->consume() : std::size_t{0};
}

struct PerfBuffer::State {
  State(const RawMap& of, Take with) : map(of), take(std::move(with)) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    if (buffer) map.library().perf_buffer__free(buffer);
  }
  RawMap map;
  Take take;
  perf_buffer* buffer = nullptr;
  std::uint64_t lost = 0;
  std::size_t taken = 0;
};

PerfBuffer::PerfBuffer(std::unique_ptr<State> state) : state_(std::move(state)) {}
PerfBuffer::PerfBuffer(PerfBuffer&&) noexcept = default;
PerfBuffer& PerfBuffer::operator=(PerfBuffer&&) noexcept = default;
PerfBuffer::~PerfBuffer() = default;

Result<PerfBuffer> PerfBuffer::open(const RawMap& map, Take take, std::size_t pages) {
  if (auto fits = checkKind(map, "perf_event_array", "perf buffer"); !fits) return std::move(fits).error();
  auto state = std::make_unique<State>(map, std::move(take));
  const auto give = [](void* context, int cpu, void* data, std::uint32_t size) noexcept {
    auto* const to = static_cast<State*>(context);
    ++to->taken;
    to->take(cpu, {static_cast<const std::byte*>(data), size});
  };
  const auto lose = [](void* context, int, std::uint64_t count) noexcept {
    static_cast<State*>(context)->lost += count;
  };
  const detail::LibbpfMessages messages(map.library());
  state->buffer = map.library().perf_buffer__new(map.descriptor(), pages, give, lose, state.get(), nullptr);
  if (!state->buffer) {
    Error error = map.failure(detail::lastStatus(), fmt::format("opening perf buffers of {} pages", pages));
    if (error.code == ErrorCode::InvalidArgument) error.hint = "the number of pages is a power of two";
    return error;
  }
  return PerfBuffer(std::move(state));
}

Result<std::size_t> PerfBuffer::consume() {
  const std::size_t before = state_->taken;
  const int got = state_->map.library().perf_buffer__consume(state_->buffer);
  if (got < 0) return state_->map.failure(got, "reading the perf buffers");
  return state_->taken - before;
}

Result<std::size_t> PerfBuffer::poll(int milliseconds) {
  const std::size_t before = state_->taken;
  const int got = state_->map.library().perf_buffer__poll(state_->buffer, milliseconds);
  if (got < 0 && got != -EINTR) return state_->map.failure(got, "waiting for the perf buffers");
  return state_->taken - before;
}

std::uint64_t PerfBuffer::lost() const noexcept {
  return state_->lost;
}

}  // namespace lathe::bpf
