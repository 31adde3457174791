// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tracepoint has fewer arguments.
#include <lathe/bpf.h>

SEC("tp_btf/sched_switch") int on_switch(__u64* ctx) {
  return static_cast<int>(ctx[9]);
}
LATHE_BPF_LICENSE("GPL");
