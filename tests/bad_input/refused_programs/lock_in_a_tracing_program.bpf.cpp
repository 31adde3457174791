// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tracing programs may not take locks.
#include <lathe/bpf.h>

struct Value { struct bpf_spin_lock lock; __u32 count; };
lathe::bpf::hash_map<__u32, Value, 16> values SEC(".maps");
SEC("raw_tp/sched_switch") int on_switch(__u64*) {
  Value* const value = values.lookup(0);
  if (!value) return 0;
  bpf_spin_lock(&value->lock);
  ++value->count;
  bpf_spin_unlock(&value->lock);
  return 0;
}
LATHE_BPF_LICENSE("GPL");

// wanted: error: program 'on_switch': tracing programs may not take locks
// wanted: hint: use atomics or per-CPU maps
