// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop without end and without effect, which C++ does not permit: the compiler leaves nothing of what follows.
#include <lathe/bpf.h>

SEC("syscall") int run(__u32* context) {
  __u32 sum = 0;
  while (true) sum += *context;
  return static_cast<int>(sum);
}
LATHE_BPF_LICENSE("GPL");

// wanted: endless_without_effect.bpf.cpp:8:3: error: program 'run': the program comes to a place that the compiler took for unreachable
// wanted: while (true) sum += *context;
// wanted: hint: a variable without a value, a function without its return, or a loop without end and effect lead there
