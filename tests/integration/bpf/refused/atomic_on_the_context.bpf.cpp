// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An atomic operation reaches the context.
#include <lathe/bpf.h>

SEC("tc") int on_packet(__sk_buff* ctx) {
  __sync_fetch_and_add(&ctx->mark, 1);
  return 0;
}
LATHE_BPF_LICENSE("GPL");
