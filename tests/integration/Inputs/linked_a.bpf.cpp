// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Uses a map and a variable that linked_b.bpf.cpp defines.
#include <lathe/bpf.h>

extern lathe::bpf::array_map<__u64, 4> counts SEC(".maps");
extern __u64 total;

SEC("syscall") int add(__u64* context) {
  if (__u64* const count = counts.lookup(1)) *count += *context;
  total += *context;
  *context = 2 * total;
  return 0;
}
LATHE_BPF_LICENSE("GPL");
