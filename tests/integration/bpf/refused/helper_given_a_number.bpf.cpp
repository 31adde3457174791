// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A helper is given a number for a pointer.
#include <lathe/bpf.h>

lathe::bpf::hash_map<__u32, __u64, 16> counts SEC(".maps");
SEC("syscall") int look(__u64* context) {
  return bpf_map_lookup_elem(&counts, reinterpret_cast<const void*>(*context)) ? 1 : 0;
}
LATHE_BPF_LICENSE("GPL");
