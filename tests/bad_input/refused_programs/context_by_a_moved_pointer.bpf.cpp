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

// wanted: context_by_a_moved_pointer.bpf.cpp:9:27: error: program 'on_packet': the context is reached by a moved pointer
// wanted: return static_cast<int>(*reinterpret_cast<const volatile __u32*>(moved));
// wanted: context_by_a_moved_pointer.bpf.cpp:8:3: note: becomes the program's context, 8 bytes further
// wanted: hint: use the context's members, ctx->member, at places known when it is compiled
