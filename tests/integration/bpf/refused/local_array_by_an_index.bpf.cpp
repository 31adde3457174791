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
