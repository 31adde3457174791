// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The comparison with null is on one way only.
#include <lathe/bpf.h>

lathe::bpf::array_map<__u64, 16> counts SEC(".maps");
SEC("syscall") int look(__u32* context) {
  __u64* const count = counts.lookup(*context);
  if (*context > 5 && !count) return 1;
  *count += 1;
  return 0;
}
LATHE_BPF_LICENSE("GPL");
