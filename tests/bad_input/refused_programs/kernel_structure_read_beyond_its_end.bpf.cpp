// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A member is read that no kernel has there.
#include <lathe/bpf.h>

struct task { char bytes[100000]; };
SEC("tp_btf/sched_switch") int on_switch(__u64* context) {
  return reinterpret_cast<task*>(context[1])->bytes[99999];
}
LATHE_BPF_LICENSE("GPL");

// wanted: kernel_structure_read_beyond_its_end.bpf.cpp:8:10: error: program 'on_switch': the kernel's task_struct has no member at offset 99999
// wanted: return reinterpret_cast<task*>(context[1])->bytes[99999];
// wanted: hint: declare it as the running kernel has it: lathe bpf types task_struct
