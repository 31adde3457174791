// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places that a BPF program is attached to, and the links that keep it there. A link belongs to the process: the kernel
// detaches the program when the link goes, also when the process is killed. Exceptions: a pinned link, which is meant
// to stay, a filter of clsact, and a struct_ops map before Linux 6.4.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include <lathe/export.h>
#include <lathe/result.h>

struct bpf_program;

namespace lathe::bpf {

namespace detail {
struct ObjectState;
struct LinkState;
}  // namespace detail

/// SEC("tp"): a tracepoint with its record as context, "syscalls" and "sys_enter_openat". Needs tracefs.
struct Tracepoint {
  std::string category;
  std::string name;
};
/// SEC("raw_tp"): a tracepoint with its arguments as context, "sched_switch".
struct RawTracepoint {
  std::string name;
};
/// SEC("kprobe"): the entry, or the return, of a kernel function.
struct KernelProbe {
  std::string function;
  bool onReturn = false;
};
/// SEC("uprobe"): the entry, or the return, of a function of a program or library. The place is `function` plus
/// `offset` bytes, or `offset` in the file if there is no name.
struct UserProbe {
  std::string binary;  ///< a path, or a library's name, "libc.so.6"
  std::string function = {};
  std::size_t offset = 0;
  bool onReturn = false;
  int process = -1;          ///< -1: all
  std::uint64_t cookie = 0;  ///< what bpf_get_attach_cookie() gives
};
/// SEC("uprobe.multi"), SEC("uretprobe.multi"): many functions of a program or library by one link (Linux 6.6).
struct UserProbes {
  std::string binary;                  ///< a path
  std::vector<std::string> functions;  ///< with * and ?: all whose names match
  bool onReturn = false;
  int process = -1;  ///< -1: all
};
/// SEC("usdt"): a static probe of a program or library.
struct StaticProbe {
  std::string binary;
  std::string provider;
  std::string name;
  int process = -1;
};
/// SEC("perf_event"): samples by a clock, on each CPU that is online, or on one.
struct Samples {
  std::uint64_t perSecond = 99;
  int cpu = -1;      ///< -1: each
  int process = -1;  ///< -1: all
};
/// The part that runs an XDP program: the driver if it can and else the network stack (any), the network stack
/// (generic), the driver (native), the device (offloaded).
enum class XdpMode : std::uint8_t { any, generic, native, offloaded };
/// SEC("xdp"): packets that an interface receives, before the network stack.
struct Xdp {
  std::string interface;
  XdpMode mode = XdpMode::any;
};
/// SEC("tc"): packets of an interface, in the order of programs of "tcx" (Linux 6.6). On older kernels, and where
/// `classic` asks for it, the program is a filter of the queueing discipline "clsact", which is made if it is not there
/// and stays. The kernel keeps such a filter when the process ends without detaching it.
struct TrafficControl {
  std::string interface;
  bool egress = false;
  bool classic = false;
};
/// SEC("cgroup_skb"), SEC("cgroup/…"): the processes of a cgroup, by its folder.
struct Cgroup {
  std::filesystem::path folder;
};
/// SEC("sk_lookup"), SEC("flow_dissector"): a network namespace, by its file ("/proc/self/ns/net").
struct NetNamespace {
  std::filesystem::path file;
};
/// SEC("socket"): what a socket of the caller receives; SEC("sk_reuseport"): the group of one. There is no link: it
/// ends with the socket, or by Link::detach().
struct Socket {
  int descriptor;
};
/// SEC("sk_skb/stream_verdict"), SEC("sk_skb/stream_parser"), SEC("sk_msg"): what the sockets in a map of the program's
/// object receive or send (Linux 6.10).
struct SocketMap {
  std::string map;
};
/// SEC("iter/…"): the items that the section names; Link::read() goes over them.
struct Iterator {
  std::string map = {};  ///< for SEC("iter/bpf_map_elem"): a map of the program's object
  int process = -1;      ///< for tasks, their files and memory: of this process only (Linux 6.1); -1: all
};

/// One of these places.
using AttachPoint = std::variant<Tracepoint, RawTracepoint, KernelProbe, UserProbe, UserProbes, StaticProbe, Samples,
                                 Xdp, TrafficControl, Cgroup, NetNamespace, Socket, SocketMap, Iterator>;

/// "tracepoint sched:sched_switch", for messages.
[[nodiscard]] LATHE_API std::string describe(const AttachPoint& point);
/// Reads what describe() writes in the short form of the command line: "tp:sched:sched_switch", "raw_tp:NAME",
/// "kprobe:NAME", "kretprobe:NAME", "uprobe:FILE:FUNCTION", "uretprobe:FILE:FUNCTION",
/// "uprobe.multi:FILE:FUNCTION,FUNCTION", "uretprobe.multi:…", "usdt:FILE:PROVIDER:NAME",
/// "samples:PER_SECOND", "xdp:INTERFACE", "xdp.generic:…", "xdp.native:…", "xdp.offloaded:…", "ingress:INTERFACE",
/// "egress:INTERFACE", "cgroup:FOLDER", "netns:FILE", "sockmap:MAP", "iter", "iter:map:MAP", "iter:process:NUMBER".
/// Errors: InvalidArgument, with the forms.
[[nodiscard]] LATHE_API Result<AttachPoint> parseAttachPoint(const std::string& text);

/// A program at work. Detached when it goes. Move-only.
class LATHE_API Link {
 public:
  Link(Link&&) noexcept;
  Link& operator=(Link&&) noexcept;
  ~Link();
  /// Detaches now, for the error that only this tells. Errors: DriverError.
  [[nodiscard]] Result<void> detach();
  /// Keeps it attached under `path` in a BPF file system, also after this process, until the file is removed. Errors:
  /// FileUnwritable, Unsupported (a link of several events, of a socket, or of clsact).
  [[nodiscard]] Result<void> pin(const std::filesystem::path& path);
  /// True for an iterator, which does nothing until it is read.
  [[nodiscard]] bool iterates() const noexcept;
  /// Runs the iterator over all its items and returns what it wrote. Errors: InvalidArgument (another kind of link),
  /// DriverError.
  [[nodiscard]] Result<std::string> read() const;

 private:
  friend class Program;
  friend class RawMap;
  explicit Link(std::unique_ptr<detail::LinkState> state);
  std::unique_ptr<detail::LinkState> state_;
};

}  // namespace lathe::bpf
