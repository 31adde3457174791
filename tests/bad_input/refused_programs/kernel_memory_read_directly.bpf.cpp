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

// wanted: kernel_memory_read_directly.bpf.cpp:9:20: error: program 'look': a number is used as a pointer
// wanted: *context = task->tgid;
// wanted: kernel_memory_read_directly.bpf.cpp:8:59: note: the result of bpf_get_current_task is a number of which nothing is known
// wanted: hint: memory of the kernel is read with BPF_CORE_READ or bpf_probe_read_kernel, that of a process with bpf_probe_read_user; pointers into a packet end with calls that move it: take data and data_end again
