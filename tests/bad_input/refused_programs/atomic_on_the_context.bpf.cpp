// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An atomic operation reaches the context.
#include <lathe/bpf.h>

SEC("tc") int on_packet(__sk_buff* ctx) {
  __sync_fetch_and_add(&ctx->mark, 1);
  return 0;
}
LATHE_BPF_LICENSE("GPL");

// wanted: atomic_on_the_context.bpf.cpp:7:3: error: program 'on_packet': an atomic operation reaches memory that has none (ctx)
// wanted: __sync_fetch_and_add(&ctx->mark, 1);
// wanted: hint: atomics work on maps' values and local variables
