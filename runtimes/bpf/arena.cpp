// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arenas: maps of kind `arena` (Linux 6.9), whose memory programs and this process know by the same addresses. libbpf
// 1.x creates no such map, so the map is made here and handed to libbpf's object.
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

#include <fmt/format.h>

#include "runtimes/bpf/object_state.h"

namespace lathe::bpf {
namespace {

// enum bpf_map_type and BPF_F_MMAPABLE, which the headers of older kernels lack.
constexpr std::uint32_t arenaType = 33;
constexpr std::uint32_t mappable = 1U << 10;

}  // namespace

struct detail::ArenaState {
  ArenaState() = default;
  ArenaState(const ArenaState&) = delete;
  ArenaState& operator=(const ArenaState&) = delete;
  ~ArenaState() {
    if (!bytes.empty()) ::munmap(bytes.data(), bytes.size());
  }

  UniqueDescriptor descriptor;
  std::span<std::byte> bytes;
};

Result<Arena> Arena::create(std::uint32_t pages) {
  const auto& library = lathe::detail::libbpf();
  if (!library) return library.error();
  const std::string doing = fmt::format("arena: making one of {} pages", pages);
  const lathe::detail::LibbpfMapCreate options{.flags = mappable};
  const int descriptor = library->bpf_map_create(arenaType, "arena", 0, 0, pages, &options);
  if (descriptor < 0) {
    Error error = detail::bpfError(descriptor, doing);
    if (error.code == ErrorCode::InvalidArgument) {
      error.code = ErrorCode::Unsupported;
      error.hint = "arenas exist since Linux 6.9, on x86-64 and aarch64, and have at most 4 GiB";
    }
    return error;
  }
  auto state = std::make_shared<detail::ArenaState>();
  state->descriptor = detail::UniqueDescriptor(descriptor);
  const std::size_t bytes = std::size_t{pages} * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  void* const address = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (address == MAP_FAILED) return detail::bpfError(errno, doing);
  state->bytes = {static_cast<std::byte*>(address), bytes};
  return Arena(std::move(state));
}

std::span<std::byte> Arena::bytes() const noexcept {
  return state_->bytes;
}

int Arena::descriptor() const noexcept {
  return state_->descriptor.get();
}

/// Before the object is loaded: the verifier asks for the address that the process sees.
Result<void> detail::giveArena(ObjectState& state) {
  const Libbpf& library = state.library;
  for (bpf_map* map = nullptr; (map = library.bpf_object__next_map(state.object, map));) {
    if (library.bpf_map__type(map) != arenaType) continue;
    if (!state.options.arena) {
      auto made = Arena::create(library.bpf_map__max_entries(map));
      if (!made) return std::move(made).error();
      state.options.arena = *std::move(made);
    }
    if (const int status = library.bpf_map__reuse_fd(map, state.options.arena->descriptor()); status < 0)
      return bpfError(status, fmt::format("map '{}': giving it its memory", library.bpf_map__name(map)));
  }
  return {};
}

Result<Arena> Object::arena() const {
  if (!state_->loaded)
    return Error{.code = ErrorCode::InvalidArgument,
                 .message = "object: it is not loaded, so it has no arena yet; call load() first",
                 .target = "bpf"};
  if (!state_->options.arena)
    return Error{.code = ErrorCode::InvalidArgument,
                 .message = "object: none of its maps is an arena",
                 .hint = "lathe::bpf::arena<PAGES> memory SEC(\".maps\");",
                 .target = "bpf"};
  return *state_->options.arena;
}

}  // namespace lathe::bpf
