// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function of the kernel is not for programs.
#include <lathe/bpf.h>

extern "C" long schedule_timeout(long) __ksym;
SEC("syscall") int wait(__u32*) {
  return static_cast<int>(schedule_timeout(1));
}
LATHE_BPF_LICENSE("GPL");
