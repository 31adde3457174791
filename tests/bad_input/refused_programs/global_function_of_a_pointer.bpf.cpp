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

// wanted: global_function_of_a_pointer.bpf.cpp:7:3: error: program 'look': a pointer that may be null is used (a pointer to 4 bytes of memory, or null)
// wanted: return *value;
// wanted: hint: compare it with null first
