// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A member is read that no kernel has there.
#include <lathe/bpf.h>

struct task_struct { char bytes[100000]; };
SEC("tp_btf/sched_switch") int BPF_PROG(on_switch, bool preempted, task_struct* previous) {
  return previous->bytes[99999];
}
LATHE_BPF_LICENSE("GPL");
