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
