// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The index into a packet is not bounded.
#include <lathe/bpf.h>

SEC("xdp") int option(xdp_md* ctx) {
  const auto* const data = reinterpret_cast<const __u8*>(static_cast<unsigned long>(ctx->data));
  const auto* const end = reinterpret_cast<const __u8*>(static_cast<unsigned long>(ctx->data_end));
  if (data + 20 > end) return XDP_ABORTED;
  return data[data[0]] == 1 ? XDP_DROP : XDP_PASS;
}
LATHE_BPF_LICENSE("GPL");

// wanted: packet_by_a_number.bpf.cpp:10:10: error: program 'option': 1 bytes at offset 0 of the packet are read or written, and 0 bytes are known to be there
// wanted: return data[data[0]] == 1 ? XDP_DROP : XDP_PASS;
// wanted: packet_by_a_number.bpf.cpp:7:90: note: read here: a pointer into the packet, not compared with its end
// wanted: packet_by_a_number.bpf.cpp:9:17: note: on this path r3 > r2 is false
// wanted: packet_by_a_number.bpf.cpp:10:10: note: becomes a pointer into the packet, not compared with its end
// wanted: hint: compare with the end first, by the same pointer: if (data + sizeof(Header) > data_end) return …;
