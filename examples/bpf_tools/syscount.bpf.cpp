// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts system calls by their number, and the time they take.
#include <lathe/bpf.h>

#include "syscount.h"

struct Open {
  __u64 since;
  __u32 number;
};

const volatile __u32 only_process = 0;  ///< 0: all

lathe::bpf::hash_map<__u32, Open, 16384> open_calls SEC(".maps");  // by thread
lathe::bpf::percpu_array_map<Calls, 1024> calls SEC(".maps");

SEC("raw_tp/sys_enter") int on_enter(bpf_raw_tracepoint_args* ctx) {
  const __u64 who = bpf_get_current_pid_tgid();
  if (only_process && who >> 32 != only_process) return 0;
  open_calls.update(static_cast<__u32>(who), {bpf_ktime_get_ns(), static_cast<__u32>(ctx->args[1])});
  return 0;
}

SEC("raw_tp/sys_exit") int on_exit(bpf_raw_tracepoint_args*) {
  const __u32 thread = static_cast<__u32>(bpf_get_current_pid_tgid());
  const Open* const open = open_calls.lookup(thread);
  if (!open) return 0;
  if (Calls* found = calls.lookup(open->number)) {
    found->count += 1;
    found->nanoseconds += bpf_ktime_get_ns() - open->since;
  }
  open_calls.erase(thread);
  return 0;
}

LATHE_BPF_LICENSE("GPL");
