// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A helper is given a size that is not bounded.
#include <lathe/bpf.h>

SEC("syscall") int look(__u32* context) {
  char text[64] = {};
  bpf_probe_read_user(text, context[0], reinterpret_cast<const void*>(8UL));
  return text[3];
}
LATHE_BPF_LICENSE("GPL");

// wanted: helper_given_an_unbounded_size.bpf.cpp:8:3: error: program 'look': a size of which nothing is known is handed to a function
// wanted: bpf_probe_read_user(text, context[0], reinterpret_cast<const void*>(8UL));
// wanted: helper_given_an_unbounded_size.bpf.cpp:8:29: note: read here: a number from 0 to 4294967295
// wanted: hint: compare it with the size of the memory first, or mask it: size & (N - 1)
