// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A helper does not exist.
#include <lathe/bpf.h>

LATHE_BPF_HELPER(9999, long, bpf_from_the_future, (void), )
SEC("syscall") int call(__u32*) {
  return static_cast<int>(bpf_from_the_future());
}
LATHE_BPF_LICENSE("GPL");
