// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is locked is no lock.
#include <lathe/bpf.h>

lathe::bpf::hash_map<__u32, __u64, 16> values SEC(".maps");
SEC("tc") int on_packet(__sk_buff*) {
  __u64* const value = values.lookup(0);
  if (!value) return 0;
  bpf_spin_lock(reinterpret_cast<struct bpf_spin_lock*>(value));
  bpf_spin_unlock(reinterpret_cast<struct bpf_spin_lock*>(value));
  return 0;
}
LATHE_BPF_LICENSE("GPL");

// wanted: value_without_a_lock.bpf.cpp:10:3: error: program 'on_packet': the value of map 'values' has no lock
// wanted: bpf_spin_lock(reinterpret_cast<struct bpf_spin_lock*>(value));
// wanted: value_without_a_lock.bpf.cpp:9:7: note: on this path r6 == 0x0 is false
// wanted: hint: give it a member of type bpf_spin_lock, aligned to 4 bytes
