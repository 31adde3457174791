// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An iterator's last call has no item.
#include <lathe/bpf.h>

struct task_struct { int pid; };
struct bpf_iter__task { void* meta; task_struct* task; };
int last;
SEC("iter/task") int list(bpf_iter__task* context) {
  last = context->task->pid;
  return 0;
}
LATHE_BPF_LICENSE("GPL");

// wanted: iterator_item_unchecked.bpf.cpp:10:25: error: program 'list': a pointer that may be null is used (a pointer to the kernel's task_struct, or null)
// wanted: last = context->task->pid;
// wanted: hint: compare it with null first: an iterator's last call, for example, has no item
