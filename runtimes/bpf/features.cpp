// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The probes behind probeFeatures().
#include <lathe/bpf_features.h>

#include <linux/bpf.h>
#include <linux/magic.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include <fmt/format.h>

#include "runtimes/bpf/object_state.h"
#include "runtimes/bpf/types/btf.h"

namespace lathe::bpf {
namespace {

using State = Feature::State;
using lathe::detail::LibbpfLoadOptions;

constexpr std::string_view root = "run as root, or with CAP_BPF and CAP_PERFMON (tracing) or CAP_NET_ADMIN (packets)";

std::string firstLine(const char* path) {
  std::ifstream file(path);
  std::string out;
  std::getline(file, out);
  return out;
}

bool isOfFileSystem(const char* path, unsigned long magic) {
  struct statfs facts{};
  return ::statfs(path, &facts) == 0 && static_cast<unsigned long>(facts.f_type) == magic;
}

/// Capabilities of this process as in /proc/self/status.
std::uint64_t capabilities() {
  std::ifstream status("/proc/self/status");
  std::string word;
  while (status >> word) {
    if (word != "CapEff:") continue;
    std::uint64_t out = 0;
    status >> std::hex >> out;
    return out;
  }
  return 0;
}

class Probe {
 public:
  explicit Probe(const detail::Libbpf& library) : library_(library), messages_(library) {}

  std::vector<Feature> all() {
    rights();
    files();
    programs();
    tracing();
    maps();
    probes();
    instructions();
    return std::move(found_);
  }

 private:
  void add(std::string area, std::string name, State state, std::string detail, std::string_view remedy = {}) {
    found_.push_back({std::move(area), std::move(name), state, std::move(detail),
                      state == State::present ? std::string() : std::string(remedy)});
  }

  void rights() {
    add("rights", "libbpf", State::present, library_.libbpf_version_string());
    // Numbers of capability.h.
    constexpr std::pair<const char*, unsigned> wanted[] = {
        {"CAP_NET_ADMIN", 12}, {"CAP_SYS_ADMIN", 21}, {"CAP_PERFMON", 38}, {"CAP_BPF", 39}};
    const std::uint64_t held = capabilities();
    for (const auto& [name, bit] : wanted) {
      const bool has = (held >> bit & 1) != 0;
      add("rights", name, has ? State::present : State::absent, has ? "held" : "not held", root);
    }
    if (const std::string closed = firstLine("/proc/sys/kernel/unprivileged_bpf_disabled"); !closed.empty())
      add("rights", "unprivileged programs", closed == "0" ? State::present : State::refused,
          fmt::format("kernel.unprivileged_bpf_disabled is {}", closed), root);
    // The file lists the levels with the one in force in brackets.
    const std::string lockdown = firstLine("/sys/kernel/security/lockdown");
    const std::size_t open = lockdown.find('[');
    if (open != std::string::npos) {
      const std::string level = lockdown.substr(open + 1, lockdown.find(']') - open - 1);
      locked_ = level != "none";
      add("rights", "lockdown", locked_ ? State::refused : State::present, level,
          "reading the kernel's memory and changing it are restricted until the machine starts without lockdown");
    }
    const std::string jit = firstLine("/proc/sys/net/core/bpf_jit_enable");
    if (!jit.empty())
      add("rights", "machine code", jit == "0" ? State::absent : State::present,
          fmt::format("net.core.bpf_jit_enable is {}", jit),
          "programs are interpreted: sysctl net.core.bpf_jit_enable=1");
  }

  void files() {
    const bool types = ::access("/sys/kernel/btf/vmlinux", R_OK) == 0;
    add("files", "kernel types (BTF)", types ? State::present : State::absent, "/sys/kernel/btf/vmlinux",
        "field accesses are not relocated without it: name a file with the kernel's BTF, or use a kernel with "
        "CONFIG_DEBUG_INFO_BTF");
    const bool traces = isOfFileSystem("/sys/kernel/tracing", TRACEFS_MAGIC) ||
                        isOfFileSystem("/sys/kernel/debug/tracing", TRACEFS_MAGIC);
    add("files", "tracefs", traces ? State::present : State::absent, "/sys/kernel/tracing",
        "SEC(\"tp/…\") needs it: mount -t tracefs tracefs /sys/kernel/tracing; SEC(\"raw_tp/…\") does not");
    const bool pins = isOfFileSystem("/sys/fs/bpf", BPF_FS_MAGIC);
    add("files", "BPF file system", pins ? State::present : State::absent, "/sys/fs/bpf",
        "pinning needs it: mount -t bpf bpf /sys/fs/bpf");
  }

  void answered(std::string area, std::string name, int answer, std::string_view remedy) {
    if (answer == 1) return add(std::move(area), std::move(name), State::present, "");
    const bool denied = answer == -EPERM || answer == -EACCES;
    add(std::move(area), std::move(name), denied ? State::refused : State::absent,
        denied       ? "not permitted (EPERM)"
        : answer < 0 ? fmt::format("{}", std::strerror(-answer))
                     : std::string("this kernel does not take it from this process"),
        denied ? root : remedy);
  }

  void programs() {
    constexpr std::pair<const char*, std::uint32_t> types[] = {{"socket", BPF_PROG_TYPE_SOCKET_FILTER},
                                                               {"xdp", BPF_PROG_TYPE_XDP},
                                                               {"tc", BPF_PROG_TYPE_SCHED_CLS},
                                                               {"cgroup_skb", BPF_PROG_TYPE_CGROUP_SKB},
                                                               {"sk_lookup", BPF_PROG_TYPE_SK_LOOKUP},
                                                               {"tp", BPF_PROG_TYPE_TRACEPOINT},
                                                               {"raw_tp", BPF_PROG_TYPE_RAW_TRACEPOINT},
                                                               {"perf_event", BPF_PROG_TYPE_PERF_EVENT},
                                                               {"kprobe, uprobe, usdt", BPF_PROG_TYPE_KPROBE},
                                                               {"syscall", BPF_PROG_TYPE_SYSCALL}};
    for (const auto& [name, type] : types)
      answered("program", name, library_.libbpf_probe_bpf_prog_type(type, nullptr), root);
  }

  /// Programs that name a function or tracepoint of the kernel by its BTF.
  void tracing() {
    std::ifstream file("/sys/kernel/btf/vmlinux", std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)), {});
    const auto* const begin = reinterpret_cast<const std::byte*>(bytes.data());
    const auto types = detail::Btf::parse({begin, begin + bytes.size()});
    if (!types) return;
    struct Kind {
      const char* name;
      std::uint32_t type, attach;
      detail::BtfKind kind;
      const char* at;
    };
    constexpr Kind kinds[] = {
        {"tp_btf", BPF_PROG_TYPE_TRACING, BPF_TRACE_RAW_TP, detail::BtfKind::typedef_, "btf_trace_sched_switch"},
        {"fentry", BPF_PROG_TYPE_TRACING, BPF_TRACE_FENTRY, detail::BtfKind::function, "vfs_open"},
        {"fexit", BPF_PROG_TYPE_TRACING, BPF_TRACE_FEXIT, detail::BtfKind::function, "vfs_open"},
        {"fmod_ret", BPF_PROG_TYPE_TRACING, BPF_MODIFY_RETURN, detail::BtfKind::function, "security_file_open"},
        {"lsm", BPF_PROG_TYPE_LSM, BPF_LSM_MAC, detail::BtfKind::function, "bpf_lsm_file_open"},
        {"iter", BPF_PROG_TYPE_TRACING, BPF_TRACE_ITER, detail::BtfKind::function, "bpf_iter_task"}};
    for (const Kind& kind : kinds) {
      const std::uint32_t target = types->find(kind.kind, kind.at);
      if (target == 0) {
        add("program", kind.name, State::absent, fmt::format("the kernel has no {}", kind.at),
            "it is built without what this needs");
        continue;
      }
      LibbpfLoadOptions options;
      options.attachType = kind.attach;
      options.attachBtfId = target;
      answered("program", kind.name, load(kind.type, options), "use SEC(\"raw_tp/…\") or SEC(\"tp/…\")");
      explainRefusal("use SEC(\"tp_btf/…\"), SEC(\"raw_tp/…\") or SEC(\"tp/…\") instead of functions of the kernel");
    }
    // Without a program to replace the kernel takes none, but says EPERM only where it permits none at all.
    const int made = load(BPF_PROG_TYPE_EXT, {});
    answered("program", "freplace", made == -EINVAL ? 1 : made, "it needs Linux 5.6");
    explainRefusal("load the program with the function that replaces the other one");
  }

  /// Says more of the last answer if it was EPERM to a process that may do anything.
  void explainRefusal(std::string_view remedy) {
    Feature& last = found_.back();
    if (last.state != State::refused || (capabilities() >> 21 & 1) == 0) return;
    last.detail =
        locked_ ? "not permitted, although CAP_SYS_ADMIN is held: the kernel is locked down"
                : "not permitted, although CAP_SYS_ADMIN is held: by lockdown (not seen here) or a security module";
    last.remedy = remedy;
  }

  /// 1, or an error below 0.
  int load(std::uint32_t type, const LibbpfLoadOptions& options) {
    constexpr std::uint64_t nothing[] = {0x00000000000000b7, 0x0000000000000095};  // r0 = 0; exit
    return load(type, options, nothing, std::size(nothing));
  }
  int load(std::uint32_t type, const LibbpfLoadOptions& options, const std::uint64_t* code, std::size_t count) {
    const int made = library_.bpf_prog_load(type, "probe", "GPL", code, count, &options);
    if (made < 0) return made;
    ::close(made);
    return 1;
  }

  void maps() {
    constexpr std::uint32_t cgroupStorage = 32, arena = 33;  // which older headers lack
    constexpr std::pair<const char*, std::uint32_t> kinds[] = {
        {"hash", BPF_MAP_TYPE_HASH},
        {"array", BPF_MAP_TYPE_ARRAY},
        {"percpu_hash", BPF_MAP_TYPE_PERCPU_HASH},
        {"percpu_array", BPF_MAP_TYPE_PERCPU_ARRAY},
        {"lru_hash", BPF_MAP_TYPE_LRU_HASH},
        {"lru_percpu_hash", BPF_MAP_TYPE_LRU_PERCPU_HASH},
        {"lpm_trie", BPF_MAP_TYPE_LPM_TRIE},
        {"stack_trace", BPF_MAP_TYPE_STACK_TRACE},
        {"queue", BPF_MAP_TYPE_QUEUE},
        {"stack", BPF_MAP_TYPE_STACK},
        {"ringbuf", BPF_MAP_TYPE_RINGBUF},
        {"user_ringbuf", BPF_MAP_TYPE_USER_RINGBUF},
        {"perf_event_array", BPF_MAP_TYPE_PERF_EVENT_ARRAY},
        {"bloom_filter", BPF_MAP_TYPE_BLOOM_FILTER},
        {"hash_of_maps", BPF_MAP_TYPE_HASH_OF_MAPS},
        {"array_of_maps", BPF_MAP_TYPE_ARRAY_OF_MAPS},
        {"prog_array", BPF_MAP_TYPE_PROG_ARRAY},
        {"cgroup_array", BPF_MAP_TYPE_CGROUP_ARRAY},
        {"devmap", BPF_MAP_TYPE_DEVMAP},
        {"devmap_hash", BPF_MAP_TYPE_DEVMAP_HASH},
        {"cpumap", BPF_MAP_TYPE_CPUMAP},
        {"xskmap", BPF_MAP_TYPE_XSKMAP},
        {"sockmap", BPF_MAP_TYPE_SOCKMAP},
        {"sockhash", BPF_MAP_TYPE_SOCKHASH},
        {"reuseport_sockarray", BPF_MAP_TYPE_REUSEPORT_SOCKARRAY},
        {"task_storage", BPF_MAP_TYPE_TASK_STORAGE},
        {"inode_storage", BPF_MAP_TYPE_INODE_STORAGE},
        {"sk_storage", BPF_MAP_TYPE_SK_STORAGE},
        {"cgrp_storage", cgroupStorage},
        {"struct_ops", BPF_MAP_TYPE_STRUCT_OPS}};
    for (const auto& [name, kind] : kinds)
      answered("map", name, library_.libbpf_probe_bpf_map_type(kind, nullptr),
               "it needs a newer kernel, or more rights");
    // libbpf 1.1 does not know it.
    constexpr std::uint32_t canBeMapped = 1U << 10;  // BPF_F_MMAPABLE
    const lathe::detail::LibbpfMapCreate options{.flags = canBeMapped};
    const int made = library_.bpf_map_create(arena, "lathe_probe", 0, 0, 1, &options);
    if (made >= 0) ::close(made);
    answered("map", "arena", made >= 0 ? 1 : made, "it needs Linux 6.9, and machine code");
  }

  void probes() {
    const auto source = [&](const char* name, const char* path, std::string_view remedy) {
      const bool there = ::access(path, F_OK) == 0;
      add("probe", name, there ? State::present : State::absent, path, remedy);
    };
    source("kernel functions (kprobe)", "/sys/bus/event_source/devices/kprobe/type",
           "this kernel is built without kprobes: use a tracepoint");
    source("user functions (uprobe)", "/sys/bus/event_source/devices/uprobe/type",
           "this kernel is built without uprobes");
    const auto clock = [&](const char* name, std::uint32_t type, std::uint64_t config, std::string_view remedy) {
      perf_event_attr event{};
      event.size = sizeof(event);
      event.type = type;
      event.config = config;
      const long opened = ::syscall(SYS_perf_event_open, &event, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
      if (opened >= 0) ::close(static_cast<int>(opened));
      answered("probe", name, opened >= 0 ? 1 : -errno, remedy);
    };
    clock("samples by the clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, root);
    clock("samples by cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES,
          "the machine, or what it runs on, has no counters: sample by the clock");
  }

  void instructions() {
    // r1 = 1; r0 = (s8)r1; exit: the move with sign extension is of version 4.
    constexpr std::uint64_t version4[] = {0x00000001000001b7, 0x00000000000810bf, 0x0000000000000095};
    answered("instructions", "v4", load(BPF_PROG_TYPE_SOCKET_FILTER, {}, version4, std::size(version4)),
             "Linux 6.6 is the first that has them: compile for bpf:v3");
    utsname name{};
    ::uname(&name);
    found_.back().detail = found_.back().detail.empty() ? fmt::format("Linux {}", name.release) : found_.back().detail;
  }

  const detail::Libbpf& library_;
  detail::LibbpfMessages messages_;
  std::vector<Feature> found_;
  bool locked_ = false;
};

}  // namespace

Result<std::vector<Feature>> probeFeatures() {
  const auto& library = lathe::detail::libbpf();
  if (!library) return library.error();
  return Probe(*library).all();
}

}  // namespace lathe::bpf
