// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function of the kernel is not for programs.
#include <lathe/bpf.h>

extern "C" long schedule_timeout(long) __ksym;
SEC("syscall") int wait(__u32*) {
  return static_cast<int>(schedule_timeout(1));
}
LATHE_BPF_LICENSE("GPL");

// wanted: kernel_function_of_others.bpf.cpp:8:27: error: program 'wait': programs of this type may not call the kernel's schedule_timeout
// wanted: return static_cast<int>(schedule_timeout(1));
