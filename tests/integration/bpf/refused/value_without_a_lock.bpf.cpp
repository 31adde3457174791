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
