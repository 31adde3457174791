// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports every change of state of a TCP connection, and how long the state before lasted.
#include <lathe/bpf.h>

#include "tcpstates.h"

struct sock_common {
  __be32 skc_daddr, skc_rcv_saddr;
  __be16 skc_dport;
  __u16 skc_num;
  unsigned short skc_family;
};
struct sock {
  sock_common __sk_common;
};

constexpr int closed = 7;
lathe::bpf::hash_map<__u64, __u64, 16384> since SEC(".maps");  // by socket
lathe::bpf::ring_buffer<1 << 18, Change> changes SEC(".maps");
__u64 lost;

SEC("tp_btf/inet_sock_set_state") int BPF_PROG(on_change, sock* socket, int before, int after) {
  const __u64 now = bpf_ktime_get_ns();
  const auto key = reinterpret_cast<__u64>(socket);
  const __u64* const start = since.lookup(key);
  if (Change* change = changes.reserve()) {
    change->nanoseconds = start ? now - *start : 0;
    change->before = before;
    change->after = after;
    change->family = BPF_CORE_READ(socket, __sk_common.skc_family);
    change->localPort = BPF_CORE_READ(socket, __sk_common.skc_num);
    change->remotePort = __builtin_bswap16(BPF_CORE_READ(socket, __sk_common.skc_dport));
    const __be32 local = BPF_CORE_READ(socket, __sk_common.skc_rcv_saddr);
    const __be32 remote = BPF_CORE_READ(socket, __sk_common.skc_daddr);
    __builtin_memcpy(change->local, &local, sizeof(local));
    __builtin_memcpy(change->remote, &remote, sizeof(remote));
    changes.submit(change);
  } else {
    __sync_fetch_and_add(&lost, 1);
  }
  if (after == closed)
    since.erase(key);
  else
    since.update(key, now);
  return 0;
}

LATHE_BPF_LICENSE("GPL");
