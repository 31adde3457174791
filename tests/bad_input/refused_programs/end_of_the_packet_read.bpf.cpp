// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The byte behind a packet is read.
#include <lathe/bpf.h>

SEC("xdp") int last(xdp_md* context) {
  const auto* const end = reinterpret_cast<const volatile char*>(static_cast<unsigned long>(context->data_end));
  return *end ? XDP_PASS : XDP_DROP;
}
LATHE_BPF_LICENSE("GPL");

// wanted: end_of_the_packet_read.bpf.cpp:8:10: error: program 'last': the end of the packet is read
// wanted: return *end ? XDP_PASS : XDP_DROP;
// wanted: end_of_the_packet_read.bpf.cpp:7:102: note: read here: the end of the packet
// wanted: hint: read from `data`, up to `data_end`
