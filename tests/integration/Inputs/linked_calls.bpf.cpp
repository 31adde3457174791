// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls functions that linked_functions.bpf.cpp and linked_functions.bpf.c define.
#include <lathe/bpf.h>

namespace sums {
int ofDigits(__u32 number);
}
extern "C" int squared(int number);

SEC("syscall") int digits(__u64* context) {
  *context = static_cast<__u64>(squared(sums::ofDigits(static_cast<__u32>(*context))));
  return 0;
}
LATHE_BPF_LICENSE("GPL");
