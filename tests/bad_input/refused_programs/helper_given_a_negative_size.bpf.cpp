// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A helper is given a size that may be below 0.
#include <lathe/bpf.h>

SEC("syscall") int look(__s32* context) {
  char text[64] = {};
  const __s32 size = context[0];
  if (size > 64) return 1;
  bpf_probe_read_user(text, static_cast<__u32>(size), reinterpret_cast<const void*>(8UL));
  return text[3];
}
LATHE_BPF_LICENSE("GPL");

// wanted: helper_given_a_negative_size.bpf.cpp:10:3: error: program 'look': a size of which nothing is known is handed to a function
// wanted: bpf_probe_read_user(text, static_cast<__u32>(size), reinterpret_cast<const void*>(8UL));
// wanted: helper_given_a_negative_size.bpf.cpp:8:22: note: read here: a number from 0 to 4294967295
// wanted: helper_given_a_negative_size.bpf.cpp:9:12: note: on this path w2 s> 0x40 is false
// wanted: hint: compare it with the size of the memory first, or mask it: size & (N - 1)
