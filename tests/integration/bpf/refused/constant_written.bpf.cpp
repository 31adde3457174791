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
