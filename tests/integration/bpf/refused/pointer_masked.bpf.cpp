// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bits of a pointer are masked.
#include <lathe/bpf.h>

lathe::bpf::array_map<__u64, 16> values SEC(".maps");
SEC("syscall") int look(__u32*) {
  unsigned long value = reinterpret_cast<unsigned long>(values.lookup(0));
  if (!value) return 1;
  __asm__ volatile("%0 &= -8" : "+r"(value));
  return static_cast<int>(*reinterpret_cast<const __u64*>(value));
}
LATHE_BPF_LICENSE("GPL");
