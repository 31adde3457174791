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

// wanted: lock_given_back_twice.bpf.cpp:13:5: error: program 'on_packet': a lock is given back that was not taken
// wanted: bpf_spin_unlock(&value->lock);
// wanted: lock_given_back_twice.bpf.cpp:9:20: note: on this path r6 == 0x0 is false
