// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An atomic operation reaches a packet.
#include <lathe/bpf.h>

SEC("xdp") int first(xdp_md* ctx) {
  auto* const data = reinterpret_cast<__u32*>(static_cast<unsigned long>(ctx->data));
  const auto* const end = reinterpret_cast<const __u32*>(static_cast<unsigned long>(ctx->data_end));
  if (data + 1 > end) return XDP_ABORTED;
  __sync_fetch_and_add(data, 1);
  return XDP_PASS;
}
LATHE_BPF_LICENSE("GPL");

// wanted: atomic_on_a_packet.bpf.cpp:10:3: error: program 'first': an atomic operation reaches memory that has none (pkt)
// wanted: __sync_fetch_and_add(data, 1);
// wanted: atomic_on_a_packet.bpf.cpp:7:79: note: read here: a pointer into the packet, not compared with its end
// wanted: atomic_on_a_packet.bpf.cpp:9:16: note: on this path r3 > r2 is false
// wanted: hint: atomics work on maps' values and local variables
