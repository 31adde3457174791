// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function that is checked by itself takes a pointer that may be null.
#include <lathe/bpf.h>

__attribute__((noinline)) int first(const int* value) {
  return *value;
}
SEC("syscall") int look(int* context) {
  int copy = *context;
  return first(&copy);
}
LATHE_BPF_LICENSE("GPL");
