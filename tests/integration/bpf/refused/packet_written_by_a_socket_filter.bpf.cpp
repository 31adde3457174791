// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Socket filters see packets through the context only.
#include <lathe/bpf.h>

SEC("socket") int first(__sk_buff* ctx) {
  return static_cast<int>(ctx->data);
}
LATHE_BPF_LICENSE("GPL");
