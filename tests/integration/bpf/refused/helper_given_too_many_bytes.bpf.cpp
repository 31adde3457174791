// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A helper is given a size beyond the variable.
#include <lathe/bpf.h>

SEC("syscall") int look(__u64*) {
  char name[8];
  bpf_get_current_comm(name, 520);
  return name[0];
}
LATHE_BPF_LICENSE("GPL");
