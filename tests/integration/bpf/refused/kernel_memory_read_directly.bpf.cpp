// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A structure of the kernel is read without BPF_CORE_READ.
#include <lathe/bpf.h>

struct task_struct { int tgid; };
SEC("syscall") int look(int* context) {
  auto* const task = reinterpret_cast<const task_struct*>(bpf_get_current_task());
  *context = task->tgid;
  return 0;
}
LATHE_BPF_LICENSE("GPL");
