// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A member is read that the running kernel's structure lacks; accesses through a program's arguments are relocated.
#include <lathe/bpf.h>

struct task_struct { int pid, colour_of_hair; };
SEC("tp_btf/sched_switch") int BPF_PROG(on_switch, bool preempted, task_struct* previous) {
  return previous->pid + previous->colour_of_hair;
}
LATHE_BPF_LICENSE("GPL");

// wanted: kernel_structure_without_the_member.bpf.cpp:8:36: error: program 'on_switch': the running kernel has no struct task_struct.colour_of_hair
// wanted: hint: declare it as the kernel has it (lathe bpf types)
