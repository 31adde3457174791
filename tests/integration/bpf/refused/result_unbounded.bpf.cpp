// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program returns a number of which nothing is known.
#include <lathe/bpf.h>

SEC("cgroup_skb/ingress") int filter(__sk_buff* ctx) {
  return static_cast<int>(ctx->len);
}
LATHE_BPF_LICENSE("GPL");
