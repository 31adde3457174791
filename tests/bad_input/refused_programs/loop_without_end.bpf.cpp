// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop may never end.
#include <lathe/bpf.h>

SEC("syscall") int spin(volatile __u32* context) {
  while (context[0] != 7) {
  }
  return 0;
}
LATHE_BPF_LICENSE("GPL");

// wanted: loop_without_end.bpf.cpp:7:3: error: program 'spin': a loop may never end
// wanted: while (context[0] != 7) {
// wanted: loop_without_end.bpf.cpp:7:3: note: on this path w2 != 0x7 is true
// wanted: hint: count its iterations, with a limit: for (int i = 0; i < 1000; ++i); or bpf_loop
