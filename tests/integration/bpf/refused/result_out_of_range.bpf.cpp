// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program returns what its type may not.
#include <lathe/bpf.h>

SEC("cgroup/sock_create") int create(void*) {
  return 7;
}
LATHE_BPF_LICENSE("GPL");
