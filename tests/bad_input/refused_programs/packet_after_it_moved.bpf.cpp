// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointers into a packet end when it moves.
#include <lathe/bpf.h>

SEC("xdp") int shrink(xdp_md* ctx) {
  auto* const data = reinterpret_cast<__u8*>(static_cast<unsigned long>(ctx->data));
  const auto* const end = reinterpret_cast<const __u8*>(static_cast<unsigned long>(ctx->data_end));
  if (data + 14 > end) return XDP_ABORTED;
  if (bpf_xdp_adjust_head(ctx, 4) != 0) return XDP_ABORTED;
  data[0] = 1;
  return XDP_PASS;
}
LATHE_BPF_LICENSE("GPL");

// wanted: packet_after_it_moved.bpf.cpp:11:11: error: program 'shrink': a pointer into the packet is used after the packet moved
// wanted: data[0] = 1;
// wanted: packet_after_it_moved.bpf.cpp:7:78: note: read here: a pointer into the packet, not compared with its end
// wanted: packet_after_it_moved.bpf.cpp:9:17: note: on this path r3 > r2 is false
// wanted: packet_after_it_moved.bpf.cpp:10:35: note: on this path r0 != 0x0 is false
// wanted: hint: calls that change a packet end all pointers into it: take data and data_end again, and compare again
