// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which helpers the running kernel gives to each type of program: programs of one call, whose refusal says whether the
// call or its missing arguments are at fault. libbpf_probe_bpf_helper() of libbpf 1.1 looks for words that Linux 6.11
// changed, and finds everything there.
#include <lathe/bpf_features.h>

#include <linux/bpf.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <iterator>
#include <string_view>

#include "runtimes/bpf/object_state.h"
#include "runtimes/bpf/types/btf.h"

namespace lathe::bpf {
namespace {

struct Kind {
  const char* name;
  std::uint32_t type, attach;
};
constexpr Kind kinds[] = {
    {"socket", BPF_PROG_TYPE_SOCKET_FILTER, 0},
    {"kprobe, uprobe, usdt", BPF_PROG_TYPE_KPROBE, 0},
    {"tc", BPF_PROG_TYPE_SCHED_CLS, 0},
    {"action", BPF_PROG_TYPE_SCHED_ACT, 0},
    {"tp", BPF_PROG_TYPE_TRACEPOINT, 0},
    {"xdp", BPF_PROG_TYPE_XDP, 0},
    {"perf_event", BPF_PROG_TYPE_PERF_EVENT, 0},
    {"cgroup_skb", BPF_PROG_TYPE_CGROUP_SKB, 0},
    {"cgroup/sock", BPF_PROG_TYPE_CGROUP_SOCK, BPF_CGROUP_INET_SOCK_CREATE},
    {"lwt_in", BPF_PROG_TYPE_LWT_IN, 0},
    {"lwt_out", BPF_PROG_TYPE_LWT_OUT, 0},
    {"lwt_xmit", BPF_PROG_TYPE_LWT_XMIT, 0},
    {"sockops", BPF_PROG_TYPE_SOCK_OPS, BPF_CGROUP_SOCK_OPS},
    {"sk_skb", BPF_PROG_TYPE_SK_SKB, 0},
    {"cgroup/dev", BPF_PROG_TYPE_CGROUP_DEVICE, BPF_CGROUP_DEVICE},
    {"sk_msg", BPF_PROG_TYPE_SK_MSG, BPF_SK_MSG_VERDICT},
    {"raw_tp", BPF_PROG_TYPE_RAW_TRACEPOINT, 0},
    {"cgroup/bind", BPF_PROG_TYPE_CGROUP_SOCK_ADDR, BPF_CGROUP_INET4_BIND},
    {"cgroup/connect", BPF_PROG_TYPE_CGROUP_SOCK_ADDR, BPF_CGROUP_INET4_CONNECT},
    {"lwt_seg6local", BPF_PROG_TYPE_LWT_SEG6LOCAL, 0},
    {"sk_reuseport", BPF_PROG_TYPE_SK_REUSEPORT, BPF_SK_REUSEPORT_SELECT},
    {"flow_dissector", BPF_PROG_TYPE_FLOW_DISSECTOR, BPF_FLOW_DISSECTOR},
    {"cgroup/sysctl", BPF_PROG_TYPE_CGROUP_SYSCTL, BPF_CGROUP_SYSCTL},
    {"cgroup/getsockopt", BPF_PROG_TYPE_CGROUP_SOCKOPT, BPF_CGROUP_GETSOCKOPT},
    {"cgroup/setsockopt", BPF_PROG_TYPE_CGROUP_SOCKOPT, BPF_CGROUP_SETSOCKOPT},
    {"sk_lookup", BPF_PROG_TYPE_SK_LOOKUP, BPF_SK_LOOKUP},
    {"syscall", BPF_PROG_TYPE_SYSCALL, 0},
};

/// The verifier's log of a program of this kind that calls the helper; empty if it was not asked.
std::string logOf(const detail::Libbpf& library, const Kind& kind, std::uint32_t helper) {
  const std::array<std::uint64_t, 3> code = {std::uint64_t{helper} << 32 | 0x85, 0xb7, 0x95};  // call; r0 = 0; exit
  std::array<char, 1024> log{};
  lathe::detail::LibbpfLoadOptions options;
  options.attachType = kind.attach;
  options.flags = kind.type == BPF_PROG_TYPE_SYSCALL ? BPF_F_SLEEPABLE : 0;
  options.logLevel = 1;
  options.logSize = static_cast<std::uint32_t>(log.size());
  options.log = log.data();
  const int made = library.bpf_prog_load(kind.type, "helpers", "GPL", code.data(), code.size(), &options);
  if (made >= 0) ::close(made);
  return made >= 0 ? "taken" : log.data();
}

}  // namespace

Result<std::vector<ProgramHelpers>> probeHelpers() {
  const auto& library = lathe::detail::libbpf();
  if (!library) return library.error();
  std::ifstream file("/sys/kernel/btf/vmlinux", std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), {});
  const auto* const begin = reinterpret_cast<const std::byte*>(bytes.data());
  const auto types = detail::Btf::parse({begin, begin + bytes.size()});
  const std::uint32_t list = types ? types->find(detail::BtfKind::enumeration, "bpf_func_id") : 0;
  if (list == 0)
    return Error{.code = ErrorCode::Unsupported,
                 .message = "helpers: this kernel does not list its helpers",
                 .hint = "their names stand in its BTF: use a kernel with CONFIG_DEBUG_INFO_BTF",
                 .target = "bpf"};
  const detail::LibbpfMessages messages(*library);
  std::vector<ProgramHelpers> out;
  for (const Kind& kind : kinds) {
    // Number 0 is no helper of any: a log that names it says that the verifier was reached.
    if (logOf(*library, kind, 0).find("#0") == std::string::npos) continue;
    ProgramHelpers found{.program = kind.name, .helpers = {}};
    for (const detail::BtfEnumerator& helper : types->enumerators(list)) {
      constexpr std::string_view prefix = "BPF_FUNC_";
      if (helper.value <= 0 || !helper.name.starts_with(prefix)) continue;
      const std::string log = logOf(*library, kind, static_cast<std::uint32_t>(helper.value));
      const auto says = [&](std::string_view words) { return log.find(words) != std::string::npos; };
      if (log.empty() || says("invalid func") || says("unknown func") || says("cannot use helper")) continue;
      found.helpers.push_back("bpf_" + std::string(helper.name.substr(prefix.size())));
    }
    if (!found.helpers.empty()) out.push_back(std::move(found));
  }
  return out;
}

}  // namespace lathe::bpf
