// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A map look-up may find nothing.
#include <lathe/bpf.h>

lathe::bpf::hash_map<__u32, __u64, 16> counts SEC(".maps");
SEC("syscall") int look(__u32* context) {
  __u64* const count = counts.lookup(*context);
  return static_cast<int>(*count);
}
LATHE_BPF_LICENSE("GPL");
