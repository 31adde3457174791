// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program returns a number of which nothing is known.
#include <lathe/bpf.h>

SEC("cgroup_skb/ingress") int filter(__sk_buff* ctx) {
  return static_cast<int>(ctx->len);
}
LATHE_BPF_LICENSE("GPL");

// wanted: result_unbounded.bpf.cpp:7:3: error: program 'filter': the program's result may be outside 0 to 1, which this type of program returns
// wanted: return static_cast<int>(ctx->len);
// wanted: result_unbounded.bpf.cpp:7:32: note: read here: a number from 0 to 4294967295
// wanted: hint: return one of these values on every path
