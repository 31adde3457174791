// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <lathe/bpf.h>

struct task_struct {
  struct task_struct* real_parent;
  int tgid;
} __attribute__((preserve_access_index));

SEC("syscall") int parent(int* to) {
  struct task_struct* task = (struct task_struct*)bpf_get_current_task();
  *to = BPF_CORE_READ(task, real_parent, tgid);
  return 0;
}
LATHE_BPF_LICENSE("GPL");
