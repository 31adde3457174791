// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pointer into the packet is multiplied.
#include <lathe/bpf.h>

SEC("xdp") int first(xdp_md* ctx) {
  unsigned long data = ctx->data;
  __asm__ volatile("%0 *= 3" : "+r"(data));
  return *reinterpret_cast<const __u8*>(data);
}
LATHE_BPF_LICENSE("GPL");

// wanted: pointers_added.bpf.cpp:8:3: error: program 'first': a pointer is multiplied, divided or shifted
// wanted: __asm__ volatile("%0 *= 3" : "+r"(data));
// wanted: pointers_added.bpf.cpp:7:29: note: read here: a pointer into the packet, not compared with its end
// wanted: hint: pointers are only moved by numbers
