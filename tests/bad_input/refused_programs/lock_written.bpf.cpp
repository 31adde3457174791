// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lock in a value is written.
#include <lathe/bpf.h>

struct Value { struct bpf_spin_lock lock; __u64 time; };
lathe::bpf::hash_map<__u32, Value, 16> values SEC(".maps");
SEC("tc") int on_packet(__sk_buff*) {
  Value* const value = values.lookup(0);
  if (value) *reinterpret_cast<volatile __u32*>(&value->lock) = 0;
  return 0;
}
LATHE_BPF_LICENSE("GPL");

// wanted: lock_written.bpf.cpp:10:63: error: program 'on_packet': the lock in a value is read or written
// wanted: if (value) *reinterpret_cast<volatile __u32*>(&value->lock) = 0;
// wanted: lock_written.bpf.cpp:10:7: note: on this path r0 == 0x0 is false
// wanted: hint: leave the member to bpf_spin_lock and bpf_spin_unlock
