// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The context is read beyond its end.
#include <lathe/bpf.h>

struct Longer { __u32 words[32]; };
SEC("xdp") int first(Longer* ctx) {
  return static_cast<int>(ctx->words[30]);
}
LATHE_BPF_LICENSE("GPL");
