// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An index into a local array is not bounded.
#include <lathe/bpf.h>

SEC("syscall") int look(__u32* context) {
  volatile char text[16] = {};
  const __u32 index = context[0];
  text[index] = 1;
  return text[2];
}
LATHE_BPF_LICENSE("GPL");

// wanted: local_array_by_an_index.bpf.cpp:9:15: error: program 'look': an index of which nothing is known reaches a local array
// wanted: text[index] = 1;
// wanted: local_array_by_an_index.bpf.cpp:8:23: note: read here: a number from 0 to 4294967295
// wanted: hint: compare it with the number of elements first: if (i < N) …, or use i & (N - 1)
