// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A helper is not for this type of program.
#include <lathe/bpf.h>

SEC("socket") int first(__sk_buff* ctx) {
  return static_cast<int>(bpf_get_stackid(ctx, ctx, 0));
}
LATHE_BPF_LICENSE("GPL");
