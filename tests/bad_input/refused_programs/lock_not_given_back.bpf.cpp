// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A lock is not given back on one way.
#include <lathe/bpf.h>

struct Value { struct bpf_spin_lock lock; __u32 count; };
lathe::bpf::hash_map<__u32, Value, 16> values SEC(".maps");
SEC("tc") int on_packet(__sk_buff* ctx) {
  Value* const value = values.lookup(0);
  if (!value) return 0;
  bpf_spin_lock(&value->lock);
  if (ctx->len > 100) return 0;
  ++value->count;
  bpf_spin_unlock(&value->lock);
  return 0;
}
LATHE_BPF_LICENSE("GPL");

// wanted: lock_not_given_back.bpf.cpp:12:16: error: program 'on_packet': a lock is not given back on this path
// wanted: if (ctx->len > 100) return 0;
// wanted: lock_not_given_back.bpf.cpp:10:7: note: on this path r7 == 0x0 is false
// wanted: lock_not_given_back.bpf.cpp:12:16: note: on this path w1 > 0x64 is true
// wanted: hint: call bpf_spin_unlock before every return
