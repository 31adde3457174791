// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A packet is read behind what was compared with its end.
#include <lathe/bpf.h>

SEC("xdp") int first(xdp_md* ctx) {
  const auto* const data = reinterpret_cast<const __u8*>(static_cast<unsigned long>(ctx->data));
  const auto* const end = reinterpret_cast<const __u8*>(static_cast<unsigned long>(ctx->data_end));
  if (data + 14 > end) return XDP_ABORTED;
  return data[23] == 6 ? XDP_DROP : XDP_PASS;
}
LATHE_BPF_LICENSE("GPL");

// wanted: packet_checked_too_little.bpf.cpp:10:10: error: program 'first': 1 bytes at offset 23 of the packet are read or written, and 14 bytes are known to be there
// wanted: return data[23] == 6 ? XDP_DROP : XDP_PASS;
// wanted: packet_checked_too_little.bpf.cpp:7:90: note: read here: a pointer into the packet, not compared with its end
// wanted: packet_checked_too_little.bpf.cpp:9:17: note: on this path r3 > r2 is false
// wanted: hint: compare with the end first, by the same pointer: if (data + sizeof(Header) > data_end) return …;
