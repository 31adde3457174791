// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A helper is called while a lock is held.
#include <lathe/bpf.h>

struct Value { struct bpf_spin_lock lock; __u64 time; };
lathe::bpf::hash_map<__u32, Value, 16> values SEC(".maps");
SEC("tc") int on_packet(__sk_buff*) {
  Value* const value = values.lookup(0);
  if (!value) return 0;
  bpf_spin_lock(&value->lock);
  value->time = bpf_ktime_get_ns();
  bpf_spin_unlock(&value->lock);
  return 0;
}
LATHE_BPF_LICENSE("GPL");
