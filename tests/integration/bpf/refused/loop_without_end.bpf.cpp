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
