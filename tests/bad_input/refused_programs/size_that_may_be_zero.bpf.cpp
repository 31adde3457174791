// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A helper that takes no empty memory is given a size that may be 0.
#include <lathe/bpf.h>

SEC("tc") int on_packet(__sk_buff* packet) {
  char zeros[16] = {};
  return bpf_skb_store_bytes(packet, 0, zeros, packet->mark & 15, 0) ? 1 : 0;
}
LATHE_BPF_LICENSE("GPL");

// wanted: size_that_may_be_zero.bpf.cpp:8:10: error: program 'on_packet': a size that may be 0 is handed to a function that takes none
// wanted: return bpf_skb_store_bytes(packet, 0, zeros, packet->mark & 15, 0) ? 1 : 0;
// wanted: size_that_may_be_zero.bpf.cpp:8:61: note: becomes a number from 0 to 15
// wanted: hint: test it first: if (size > 0 && size <= sizeof(buffer))
