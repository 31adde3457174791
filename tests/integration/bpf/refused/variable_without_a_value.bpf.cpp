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
