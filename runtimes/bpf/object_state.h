// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What lies behind <lathe/bpf_host.h>: an object of libbpf with the bytes it came from, and a link.
#pragma once

#include <map>
#include <set>
#include <memory>
#include <string>
#include <vector>

#include <lathe/bpf_host.h>

#include "core/support/unique_descriptor.h"
#include "runtimes/bpf/libbpf.h"
#include "runtimes/bpf/types/btf.h"

namespace lathe::bpf::detail {

using lathe::detail::bpfError;
using lathe::detail::Libbpf;
using lathe::detail::LibbpfMessages;
using lathe::detail::UniqueDescriptor;

/// The memory of one of libbpf's maps of variables, shared with the kernel.
struct Mapping {
  void* address = nullptr;
  std::size_t bytes = 0;
};

/// An open object. Handles of programs and maps hold it; the last one closes it.
struct ObjectState {
  explicit ObjectState(const Libbpf& api) : library(api) {}
  ObjectState(const ObjectState&) = delete;
  ObjectState& operator=(const ObjectState&) = delete;
  ~ObjectState();

  const Libbpf& library;
  std::vector<std::byte> elf;  ///< libbpf reads it again while it loads
  OpenOptions options;
  UniqueDescriptor kernelTypes;  ///< a file in memory with the kernel's types that `elf` is relocated by, for libbpf
  bpf_object* object = nullptr;
  bool loaded = false;
  std::set<const bpf_program*> unattached;  ///< disabled when they were loaded already
  std::string log;
  std::map<bpf_map*, Mapping> mappings;
};

/// A map of the kernel that no object of this process made.
struct OpenMap {
  const Libbpf& library;
  UniqueDescriptor descriptor;
  std::uint32_t maxEntries = 0;
};

/// One attached program: links of libbpf, or what stands for them.
struct LinkState {
  explicit LinkState(const Libbpf& api) : library(api) {}
  LinkState(const LinkState&) = delete;
  LinkState& operator=(const LinkState&) = delete;
  ~LinkState() { (void)detach(); }
  /// The first status below 0, or 0.
  int detach() noexcept;

  const Libbpf& library;
  std::shared_ptr<ObjectState> object;
  std::string what;  ///< for messages: "program 'x': xdp eth0"
  std::vector<bpf_link*> links;
  std::vector<UniqueDescriptor> descriptors;  ///< links that libbpf has no function for
  int socket = -1;                            ///< the caller's
  bool isGroup = false;                       ///< `socket` is one of a reuseport group, which has the program
  /// A filter of "clsact", which has no link; priority 0: there is none.
  lathe::detail::LibbpfTrafficHook trafficHook = {};
  lathe::detail::LibbpfTrafficFilter trafficFilter = {};
  bool iterates = false;
};

/// The object's types as libbpf completed them, with the places of variables. Errors: ImageCorrupt.
[[nodiscard]] Result<Btf> typesOf(const ObjectState& state);

/// The memory of a map of variables. Errors: DriverError and others of bpfError().
[[nodiscard]] Result<std::span<std::byte>> memoryOf(ObjectState& state, bpf_map* map, std::size_t bytes);

/// Gives the object's map of kind arena, if it has one, its memory. Errors: as Arena::create().
[[nodiscard]] Result<void> giveArena(ObjectState& state);

/// BPF_F_LINK of linux/bpf.h: a struct_ops map that is registered by a link, which ends with its process (Linux 6.4).
inline constexpr std::uint32_t structOpsByLink = 1U << 13;

/// The status, below 0, of a failed call of libbpf that returns a pointer.
[[nodiscard]] int lastStatus() noexcept;

/// Links `program` of `object`, named `what` in messages, to `point`.
[[nodiscard]] Result<std::unique_ptr<LinkState>> attachTo(std::shared_ptr<ObjectState> object,
                                                          const bpf_program* program, const std::string& kind,
                                                          std::string what, const AttachPoint& point);

/// The CPUs that are online, from the kernel's list; {0} if that cannot be read.
[[nodiscard]] std::vector<int> onlineCpus();

}  // namespace lathe::bpf::detail
