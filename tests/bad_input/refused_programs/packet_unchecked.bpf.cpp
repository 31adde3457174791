// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A packet is read without a comparison with its end.
#include <lathe/bpf.h>

SEC("xdp") int first(xdp_md* ctx) {
  const auto* const data = reinterpret_cast<const __u8*>(static_cast<unsigned long>(ctx->data));
  return data[12] == 8 ? XDP_PASS : XDP_DROP;
}
LATHE_BPF_LICENSE("GPL");

// wanted: packet_unchecked.bpf.cpp:8:10: error: program 'first': 1 bytes at offset 12 of the packet are read or written, and 0 bytes are known to be there
// wanted: return data[12] == 8 ? XDP_PASS : XDP_DROP;
// wanted: packet_unchecked.bpf.cpp:7:90: note: read here: a pointer into the packet, not compared with its end
// wanted: hint: compare with the end first, by the same pointer: if (data + sizeof(Header) > data_end) return …;
