// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tracepoint has fewer arguments.
#include <lathe/bpf.h>

SEC("tp_btf/sched_switch") int on_switch(__u64* ctx) {
  return static_cast<int>(ctx[9]);
}
LATHE_BPF_LICENSE("GPL");

// wanted: argument_that_is_not_there.bpf.cpp:7:27: error: program 'on_switch': the traced function has no argument number 7 (from 1)
// wanted: return static_cast<int>(ctx[9]);
// wanted: hint: compare the parameters with the kernel's own declaration: lathe bpf types
