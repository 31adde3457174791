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

// wanted: call_under_a_lock.bpf.cpp:12:17: error: program 'on_packet': a function is called while a lock is held
// wanted: value->time = bpf_ktime_get_ns();
// wanted: call_under_a_lock.bpf.cpp:10:7: note: on this path r6 == 0x0 is false
// wanted: hint: between bpf_spin_lock and bpf_spin_unlock there are no calls
