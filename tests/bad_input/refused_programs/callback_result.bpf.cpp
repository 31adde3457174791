// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A callback returns what it may not.
#include <lathe/bpf.h>

static long step(__u32 i, __u64* sum) {
  *sum += i;
  return 7;
}
SEC("syscall") int add(__u64* context) {
  __u64 sum = 0;
  bpf_loop(10, reinterpret_cast<void*>(&step), &sum, 0);
  *context = sum;
  return 0;
}
LATHE_BPF_LICENSE("GPL");

// wanted: callback_result.bpf.cpp:8:3: error: program 'add': a callback returns a value outside 0 to 1
// wanted: return 7;
// wanted: callback_result.bpf.cpp:8:3: note: set here: the number 7
// wanted: hint: return 0 to go on, 1 to stop
