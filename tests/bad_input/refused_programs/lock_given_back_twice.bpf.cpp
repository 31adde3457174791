// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A lock is given back that nobody took.
#include <lathe/bpf.h>

struct Value { struct bpf_spin_lock lock; __u64 count; };
lathe::bpf::hash_map<__u32, Value, 16> values SEC(".maps");
SEC("tc") int on_packet(__sk_buff*) {
  if (Value* const value = values.lookup(0)) {
    bpf_spin_lock(&value->lock);
    value->count += 1;
    bpf_spin_unlock(&value->lock);
    bpf_spin_unlock(&value->lock);
  }
  return 0;
}
LATHE_BPF_LICENSE("GPL");
