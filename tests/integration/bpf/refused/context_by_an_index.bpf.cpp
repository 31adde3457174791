// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The context is reached by an index that is not constant.
#include <lathe/bpf.h>

SEC("raw_tp/sched_switch") int on_switch(__u64* ctx) {
  const __u32 cpu = bpf_get_smp_processor_id() & 1;
  return static_cast<int>(ctx[cpu]);
}
LATHE_BPF_LICENSE("GPL");
