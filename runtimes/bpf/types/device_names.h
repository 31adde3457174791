// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The types that <lathe/bpf.h> defines itself: headers made of BTF leave them to it where it is included before.
// tests/integration/bpf/contexts.py compares the list with the headers.
#pragma once

#include <string_view>

namespace lathe::bpf::detail {

inline constexpr std::string_view deviceNames[] = {"__sk_buff",
                                                   "bpf_adj_room_mode",
                                                   "bpf_cgroup_dev_ctx",
                                                   "bpf_cpumap_val",
                                                   "bpf_devmap_val",
                                                   "bpf_dynptr",
                                                   "bpf_fib_lookup",
                                                   "bpf_flow_keys",
                                                   "bpf_map_type",
                                                   "bpf_perf_event_data",
                                                   "bpf_perf_event_value",
                                                   "bpf_pidns_info",
                                                   "bpf_raw_tracepoint_args",
                                                   "bpf_redir_neigh",
                                                   "bpf_ret_code",
                                                   "bpf_sk_lookup",
                                                   "bpf_sock",
                                                   "bpf_sock_addr",
                                                   "bpf_sock_ops",
                                                   "bpf_sock_tuple",
                                                   "bpf_sockopt",
                                                   "bpf_spin_lock",
                                                   "bpf_sysctl",
                                                   "bpf_tcp_sock",
                                                   "bpf_timer",
                                                   "bpf_tunnel_key",
                                                   "bpf_xfrm_state",
                                                   "btf_ptr",
                                                   "pt_regs",
                                                   "sk_action",
                                                   "sk_msg_md",
                                                   "sk_reuseport_md",
                                                   "xdp_action",
                                                   "xdp_md"};

}  // namespace lathe::bpf::detail
