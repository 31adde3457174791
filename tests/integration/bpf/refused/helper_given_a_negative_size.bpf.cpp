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
