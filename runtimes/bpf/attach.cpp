// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attaching a program to each kind of place. Everything is a link of the kernel, which ends with the process; where
// libbpf 1.1 has no call for one (tcx), the link is made by bpf_link_create().
#include <fcntl.h>
#include <linux/perf_event.h>
#include <net/if.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/support/nearest.h"
#include "runtimes/bpf/object_state.h"
#include "runtimes/bpf/user_functions.h"

// As in the kernel's asm-generic/socket.h.
#ifndef SO_ATTACH_BPF
#define SO_ATTACH_BPF 50
#endif
#ifndef SO_ATTACH_REUSEPORT_EBPF
#define SO_ATTACH_REUSEPORT_EBPF 52
#endif

namespace lathe::bpf::detail {
namespace {

// enum bpf_attach_type, of which older headers lack the last ones (Linux 6.6).
constexpr std::uint32_t xdpLink = 37;
constexpr std::uint32_t tcxIngress = 46;
constexpr std::uint32_t tcxEgress = 47;

Error wrongPlace(const LinkState& link, std::string why) {
  return {
      .code = ErrorCode::InvalidArgument, .message = fmt::format("{}: {}", link.what, std::move(why)), .target = "bpf"};
}

/// Makes one link by each visit, or says why not.
class Attacher {
 public:
  Attacher(const ObjectState& object, const bpf_program* program, const std::string& kind, LinkState& link)
      : library_(object.library), object_(object), program_(program), kind_(kind), link_(link) {}

  Result<void> operator()(const Tracepoint& at) const {
    auto done = keep(library_.bpf_program__attach_tracepoint(program_, at.category.c_str(), at.name.c_str()));
    if (!done && ::access("/sys/kernel/tracing/events", F_OK) != 0 &&
        ::access("/sys/kernel/debug/tracing/events", F_OK) != 0) {
      done.error().hint =
          "tracepoints are found in tracefs, which is not mounted here: mount -t tracefs tracefs "
          "/sys/kernel/tracing; SEC(\"raw_tp/…\") needs none";
    }
    return done;
  }
  Result<void> operator()(const RawTracepoint& at) const {
    bpf_link* const made = library_.bpf_program__attach_raw_tracepoint(program_, at.name.c_str());
    const bool isAbsent = !made && lastStatus() == -ENOENT;
    auto done = keep(made);
    if (isAbsent)
      done.error().hint = "this kernel has no such tracepoint; /sys/kernel/tracing/available_events lists them";
    return done;
  }
  Result<void> operator()(const KernelProbe& at) const {
    auto done = keep(library_.bpf_program__attach_kprobe(program_, at.onReturn, at.function.c_str()));
    if (!done && ::access("/sys/bus/event_source/devices/kprobe/type", F_OK) != 0) {
      done.error().code = ErrorCode::Unsupported;
      done.error().hint = "this kernel is built without kprobes; use a tracepoint";
    }
    return done;
  }
  Result<void> operator()(const UserProbe& at) const {
    lathe::detail::LibbpfUserProbe options;
    options.cookie = at.cookie;
    options.onReturn = at.onReturn;
    options.function = at.function.empty() ? nullptr : at.function.c_str();
    bpf_link* const made =
        library_.bpf_program__attach_uprobe_opts(program_, at.process, at.binary.c_str(), at.offset, &options);
    const bool isAbsent = !made && lastStatus() == -ENOENT;
    auto done = keep(made);
    const bool isFile = at.binary.find('/') == std::string::npos || ::access(at.binary.c_str(), R_OK) == 0;
    if (isAbsent && isFile && !at.function.empty())
      done.error().hint = fmt::format("nm -D {} lists the functions of a library, nm those of a program", at.binary);
    return done;
  }
  Result<void> operator()(const UserProbes& at) const {
    auto made = linkUserFunctions(library_.bpf_program__fd(program_), at, link_.what);
    if (!made) return std::move(made).error();
    link_.descriptors.push_back(*std::move(made));
    return {};
  }
  Result<void> operator()(const StaticProbe& at) const {
    bpf_link* const made = library_.bpf_program__attach_usdt(program_, at.process, at.binary.c_str(),
                                                             at.provider.c_str(), at.name.c_str(), nullptr);
    if (!made && lastStatus() == -ENOENT && ::access(at.binary.c_str(), R_OK) == 0) {
      Error none =
          wrongPlace(link_, fmt::format("{} has no probe '{}' of provider '{}'", at.binary, at.name, at.provider));
      none.hint = fmt::format("readelf -n {} lists those that it has, as notes of owner stapsdt", at.binary);
      return none;
    }
    return keep(made);
  }
  Result<void> operator()(const Samples& at) const {
    const std::vector<int> cpus = at.cpu >= 0 ? std::vector<int>{at.cpu} : onlineCpus();
    for (const int cpu : cpus) {
      perf_event_attr event{};
      event.type = PERF_TYPE_SOFTWARE;
      event.size = sizeof(event);
      event.config = PERF_COUNT_SW_CPU_CLOCK;
      event.freq = 1;
      event.sample_freq = at.perSecond;
      const long opened =
          ::syscall(SYS_perf_event_open, &event, static_cast<pid_t>(at.process), cpu, -1, PERF_FLAG_FD_CLOEXEC);
      if (opened < 0) return bpfError(errno, fmt::format("{}: opening the clock of CPU {}", link_.what, cpu));
      // The link owns the event from here on.
      bpf_link* const made = library_.bpf_program__attach_perf_event(program_, static_cast<int>(opened));
      if (!made) ::close(static_cast<int>(opened));
      if (auto kept = keep(made); !kept) return kept;
    }
    return {};
  }
  Result<void> operator()(const Xdp& at) const {
    auto index = interfaceNamed(at.interface);
    if (!index) return std::move(index).error();
    auto done =
        at.mode == XdpMode::any ? keep(library_.bpf_program__attach_xdp(program_, *index)) : linkXdp(*index, at.mode);
    if (!done && done.error().message.find("busy") != std::string::npos)
      done.error().hint = "the interface has an XDP program already; detach that first";
    return done;
  }
  Result<void> operator()(const TrafficControl& at) const {
    auto index = interfaceNamed(at.interface);
    if (!index) return std::move(index).error();
    const int program = library_.bpf_program__fd(program_);
    if (!at.classic) {
      const int made = library_.bpf_link_create(program, *index, at.egress ? tcxEgress : tcxIngress, nullptr);
      if (made != -EINVAL) return keepDescriptor(made);  // the answer of kernels without tcx
    }
    constexpr std::uint32_t ingress = 1, egress = 2;  // enum bpf_tc_attach_point
    lathe::detail::LibbpfTrafficHook hook{.interface = *index, .point = at.egress ? egress : ingress};
    if (const int status = library_.bpf_tc_hook_create(&hook); status < 0 && status != -EEXIST) return failure(status);
    lathe::detail::LibbpfTrafficFilter filter{.program = program};
    if (const int status = library_.bpf_tc_attach(&hook, &filter); status < 0) return failure(status);
    link_.trafficHook = hook;
    link_.trafficFilter = filter;
    return {};
  }
  Result<void> operator()(const Cgroup& at) const {
    const UniqueDescriptor folder(::open(at.folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!folder.ok()) return bpfError(errno, fmt::format("cgroup {}", at.folder.string()));
    constexpr auto cgroups = 0x63677270;  // CGROUP2_SUPER_MAGIC of the kernel's linux/magic.h
    if (!isIn(folder, cgroups)) {
      Error none = wrongPlace(link_, fmt::format("{} is no folder of a cgroup file system", at.folder.string()));
      none.hint =
          "version 2 is mounted at /sys/fs/cgroup or /sys/fs/cgroup/unified, or by mount -t cgroup2 none FOLDER";
      return none;
    }
    return keep(library_.bpf_program__attach_cgroup(program_, folder.get()));
  }
  Result<void> operator()(const NetNamespace& at) const {
    const UniqueDescriptor file(::open(at.file.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file.ok()) return bpfError(errno, fmt::format("network namespace {}", at.file.string()));
    constexpr auto namespaces = 0x6e736673;  // NSFS_MAGIC
    if (!isIn(file, namespaces)) {
      Error none = wrongPlace(link_, fmt::format("{} is no namespace", at.file.string()));
      none.hint = "those of processes are /proc/NUMBER/ns/net, those with names /run/netns/NAME";
      return none;
    }
    return keep(library_.bpf_program__attach_netns(program_, file.get()));
  }
  Result<void> operator()(const Socket& at) const {
    const bool isGroup = kind_ == "sk_reuseport";
    const int program = library_.bpf_program__fd(program_);
    const int option = isGroup ? SO_ATTACH_REUSEPORT_EBPF : SO_ATTACH_BPF;
    if (::setsockopt(at.descriptor, SOL_SOCKET, option, &program, sizeof(program)) != 0) {
      Error error = bpfError(errno, link_.what);
      if (isGroup) error.hint = "the socket has SO_REUSEPORT";
      return error;
    }
    link_.socket = at.descriptor;
    link_.isGroup = isGroup;
    return {};
  }
  Result<void> operator()(const SocketMap& at) const {
    auto map = mapNamed(at.map);
    if (!map) return std::move(map).error();
    const int made = library_.bpf_link_create(library_.bpf_program__fd(program_), *map,
                                              library_.bpf_program__expected_attach_type(program_), nullptr);
    auto done = keepDescriptor(made);
    if (!done && made == -EINVAL)
      done.error().hint =
          "the map is a socket_map or socket_hash, the section SEC(\"sk_skb/stream_verdict\"), "
          "SEC(\"sk_skb/stream_parser\") or SEC(\"sk_msg\"), and the kernel Linux 6.10 or later";
    return done;
  }
  Result<void> operator()(const Iterator& at) const {
    link_.iterates = true;
    // union bpf_iter_link_info: a map's descriptor, or a thread's and a process's number. What is 0 says nothing.
    std::array<std::uint32_t, 4> items{};
    if (!at.map.empty()) {
      auto map = mapNamed(at.map);
      if (!map) return std::move(map).error();
      items[0] = static_cast<std::uint32_t>(*map);
    } else if (at.process >= 0) {
      items[1] = static_cast<std::uint32_t>(at.process);
    }
    const bool isWhole = at.map.empty() && at.process < 0;
    const lathe::detail::LibbpfIterator options{.items = items.data(), .itemsBytes = sizeof(items)};
    return keep(library_.bpf_program__attach_iter(program_, isWhole ? nullptr : &options));
  }

 private:
  /// True if the file lies in a file system of this kind.
  static bool isIn(const UniqueDescriptor& file, unsigned kind) {
    struct statfs system{};
    return ::fstatfs(file.get(), &system) == 0 && static_cast<unsigned>(system.f_type) == kind;
  }
  Result<void> keep(bpf_link* made) const {
    if (!made) return failure(lastStatus());
    link_.links.push_back(made);
    return {};
  }
  Result<void> keepDescriptor(int made) const {
    if (made < 0) return failure(made);
    link_.descriptors.emplace_back(made);
    return {};
  }
  Result<void> linkXdp(int interface, XdpMode mode) const {
    constexpr std::uint32_t flags[] = {0, 1U << 1, 1U << 2, 1U << 3};  // XDP_FLAGS_SKB_MODE, _DRV_MODE, _HW_MODE
    const lathe::detail::LibbpfLinkCreate options{.flags = flags[static_cast<std::size_t>(mode)]};
    const int made = library_.bpf_link_create(library_.bpf_program__fd(program_), interface, xdpLink, &options);
    auto done = keepDescriptor(made);
    if (!done && made == -EOPNOTSUPP && mode != XdpMode::generic)
      done.error().hint = "the interface's driver does not run XDP programs; xdp.generic:INTERFACE is for every one";
    return done;
  }
  /// The descriptor of a map of the program's object.
  [[nodiscard]] Result<int> mapNamed(const std::string& name) const {
    std::vector<std::string> names;
    for (bpf_map* map = nullptr; (map = library_.bpf_object__next_map(object_.object, map));) {
      names.emplace_back(library_.bpf_map__name(map));
      if (names.back() == name) return library_.bpf_map__fd(map);
    }
    return wrongPlace(link_,
                      fmt::format("there is no map '{}'{}", name, lathe::detail::didYouMean(name, std::move(names))));
  }
  [[nodiscard]] Error failure(int status) const {
    Error out = bpfError(status, link_.what);
    const std::string reason = messages_.reason();
    if (!reason.empty()) out.notes.push_back({.message = "libbpf: " + reason});
    return out;
  }
  [[nodiscard]] Result<int> interfaceNamed(const std::string& name) const {
    if (const unsigned index = ::if_nametoindex(name.c_str())) return static_cast<int>(index);
    return wrongPlace(link_, fmt::format("there is no network interface '{}' in this network namespace", name));
  }

  const Libbpf& library_;
  const ObjectState& object_;
  const bpf_program* program_;
  const std::string& kind_;
  LinkState& link_;
  LibbpfMessages messages_{library_};
};

/// The types of programs that a place takes, and the section that gives a program the first of them.
struct Taken {
  const char* section;
  std::vector<std::string_view> kinds;
};
struct TakenBy {
  Taken operator()(const Tracepoint&) const { return {"tp", {"tracepoint"}}; }
  Taken operator()(const RawTracepoint&) const {
    return {"raw_tp", {"raw_tracepoint", "raw_tracepoint_writable", "tracing"}};
  }
  Taken operator()(const KernelProbe&) const { return {"kprobe", {"kprobe"}}; }
  Taken operator()(const UserProbe&) const { return {"uprobe", {"kprobe"}}; }
  Taken operator()(const UserProbes&) const { return {"uprobe", {"kprobe"}}; }
  Taken operator()(const StaticProbe&) const { return {"usdt", {"kprobe"}}; }
  Taken operator()(const Samples&) const { return {"perf_event", {"perf_event"}}; }
  Taken operator()(const Xdp&) const { return {"xdp", {"xdp"}}; }
  Taken operator()(const TrafficControl&) const { return {"tc", {"sched_cls", "sched_act"}}; }
  Taken operator()(const Cgroup&) const {
    return {"cgroup_skb/ingress",
            {"cgroup_skb", "cgroup_sock", "cgroup_sock_addr", "cgroup_device", "cgroup_sysctl", "cgroup_sockopt",
             "sock_ops", "lsm"}};
  }
  Taken operator()(const NetNamespace&) const { return {"sk_lookup", {"sk_lookup", "flow_dissector"}}; }
  Taken operator()(const Socket&) const { return {"socket", {"socket_filter", "sk_reuseport"}}; }
  Taken operator()(const SocketMap&) const { return {"sk_skb/stream_verdict", {"sk_skb", "sk_msg"}}; }
  Taken operator()(const Iterator&) const { return {"iter/task", {"tracing"}}; }
};

}  // namespace

Result<std::unique_ptr<LinkState>> attachTo(std::shared_ptr<ObjectState> object, const bpf_program* program,
                                            const std::string& kind, std::string what, const AttachPoint& point) {
  if (const Taken taken = std::visit(TakenBy(), point); std::ranges::find(taken.kinds, kind) == taken.kinds.end()) {
    return Error{.code = ErrorCode::InvalidArgument,
                 .message = fmt::format("{}: the place takes programs of type {}, and this one's is {}", what,
                                        fmt::join(taken.kinds, ", "), kind),
                 .hint = fmt::format("write it for another section, such as SEC(\"{}\"), or attach it to another place",
                                     taken.section),
                 .target = "bpf"};
  }
  auto link = std::make_unique<LinkState>(object->library);
  link->what = std::move(what);
  link->object = std::move(object);
  const Attacher attacher(*link->object, program, kind, *link);
  if (auto done = std::visit(attacher, point); !done) return std::move(done).error();
  return link;
}

}  // namespace lathe::bpf::detail
