// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A register is read that nothing wrote.
#include <lathe/bpf.h>

SEC("syscall") int look(__u32*) {
  unsigned long value;
  __asm__ volatile("%0 = r7" : "=r"(value));
  return static_cast<int>(value);
}
LATHE_BPF_LICENSE("GPL");

// wanted: variable_without_a_value.bpf.cpp:8:3: error: program 'look': a variable is read that has no value on this path
// wanted: __asm__ volatile("%0 = r7" : "=r"(value));
// wanted: hint: give it a value where it is declared; after a call only its result is left in registers
