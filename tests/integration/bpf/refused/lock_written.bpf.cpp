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
