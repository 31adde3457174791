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
