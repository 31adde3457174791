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

// wanted: calls_nine_deep.bpf.cpp:9:33: error: program 'dive': functions call each other more than 8 deep
// wanted: if constexpr (Depth > 0) x += deeper<Depth - 1>(x + 1);
// wanted: note: the verifier's words: the call stack of 9 frames is too deep
