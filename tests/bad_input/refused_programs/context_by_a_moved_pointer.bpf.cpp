// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A member of the context is read by a pointer that was moved before.
#include <lathe/bpf.h>

SEC("tc") int on_packet(__sk_buff* packet) {
  const char* moved = reinterpret_cast<const char*>(packet);
  asm volatile("%0 += 8" : "+r"(moved));
  return static_cast<int>(*reinterpret_cast<const volatile __u32*>(moved));
}
LATHE_BPF_LICENSE("GPL");
