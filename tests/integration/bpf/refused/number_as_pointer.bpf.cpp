// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A number is used as a pointer.
#include <lathe/bpf.h>

SEC("syscall") int look(__u64* context) {
  return *reinterpret_cast<const int*>(*context);
}
LATHE_BPF_LICENSE("GPL");
