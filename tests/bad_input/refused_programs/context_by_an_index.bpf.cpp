// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The context is reached by an index that is not constant.
#include <lathe/bpf.h>

SEC("raw_tp/sched_switch") int on_switch(__u64* ctx) {
  const __u32 cpu = bpf_get_smp_processor_id() & 1;
  return static_cast<int>(ctx[cpu]);
}
LATHE_BPF_LICENSE("GPL");

// wanted: context_by_an_index.bpf.cpp:8:27: error: program 'on_switch': the context is reached by an index that is not constant
// wanted: return static_cast<int>(ctx[cpu]);
// wanted: hint: copy the members first, or choose between them with if
