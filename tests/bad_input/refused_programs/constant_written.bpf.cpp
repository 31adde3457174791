// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A constant is written.
#include <lathe/bpf.h>

const volatile int limit = 3;
SEC("syscall") int change(int* context) {
  const_cast<volatile int&>(limit) = *context;
  return 0;
}
LATHE_BPF_LICENSE("GPL");

// wanted: constant_written.bpf.cpp:8:36: error: program 'change': a constant is written: the map of constants is frozen when programs are loaded
// wanted: const_cast<volatile int&>(limit) = *context;
// wanted: hint: leave out const for variables that programs write
