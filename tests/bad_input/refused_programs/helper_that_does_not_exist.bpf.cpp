// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A helper does not exist.
#include <lathe/bpf.h>

LATHE_BPF_HELPER(9999, long, bpf_from_the_future, (void), )
SEC("syscall") int call(__u32*) {
  return static_cast<int>(bpf_from_the_future());
}
LATHE_BPF_LICENSE("GPL");

// wanted: helper_that_does_not_exist.bpf.cpp:6:1: error: program 'call': this kernel has no helper number 9999
// wanted: LATHE_BPF_HELPER(9999, long, bpf_from_the_future, (void), )
// wanted: hint: it needs a newer kernel
