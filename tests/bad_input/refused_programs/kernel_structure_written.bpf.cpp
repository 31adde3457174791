// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A structure of the kernel is written.
#include <lathe/bpf.h>

struct task_struct { int tgid; };
SEC("tp_btf/sched_switch") int BPF_PROG(on_switch, bool preempted, task_struct* previous) {
  LATHE_BPF_RELOCATED(&previous->tgid)[0] = 1;
  return 0;
}
LATHE_BPF_LICENSE("GPL");

// wanted: kernel_structure_written.bpf.cpp:8:43: error: program 'on_switch': a structure of the kernel is written
// wanted: LATHE_BPF_RELOCATED(&previous->tgid)[0] = 1;
// wanted: hint: programs read them only
