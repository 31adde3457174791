// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions call each other nine deep.
#include <lathe/bpf.h>

template <int Depth>
static __attribute__((noinline)) __u64 deeper(__u64 x) {
  asm volatile("" : "+r"(x));
  if constexpr (Depth > 0) x += deeper<Depth - 1>(x + 1);
  return x;
}
SEC("syscall") int dive(__u64* context) {
  *context = deeper<8>(*context);
  return 0;
}
LATHE_BPF_LICENSE("GPL");
