// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts context switches per process, in the kernel.
#include <lathe/bpf.h>

lathe::bpf::hash_map<__u32, __u64, 4096> switches SEC(".maps");

SEC("raw_tp/sched_switch")
int count_switches(bpf_raw_tracepoint_args*) {
  const __u32 process = static_cast<__u32>(bpf_get_current_pid_tgid() >> 32);
  if (__u64* count = switches.lookup_or_insert(process, 0)) __sync_fetch_and_add(count, 1);
  return 0;
}

LATHE_BPF_LICENSE("GPL");
