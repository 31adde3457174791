// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Eight bytes of a local variable are read where only four are aligned.
#include <lathe/bpf.h>

SEC("syscall") int look(__u64* context) {
  alignas(8) char bytes[24] = {};
  asm volatile("" ::"r"(bytes) : "memory");
  *context = *reinterpret_cast<volatile __u64*>(bytes + 4);
  return 0;
}
LATHE_BPF_LICENSE("GPL");
