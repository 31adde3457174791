// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums up, in the kernel, how long threads sleep, with the stack that they sleep in and the stack of who wakes them.
// Three moments of a thread: it is switched away (its own stack), somebody wakes it (the waker's stack, at
// sched_waking, which runs in the waker; sched_wakeup may run on the sleeper's CPU), it is switched to.
#include <lathe/bpf.h>

#include "offwaketime.h"

struct task_struct {
  int pid, tgid;
  unsigned __state;
  char comm[16];
};

/// One sleep that has not ended.
struct Sleep {
  __u64 since;
  Wake wake;
};

lathe::bpf::hash_map<__u32, Sleep, 16384> asleep SEC(".maps");
lathe::bpf::hash_map<Wake, Total, 16384> totals SEC(".maps");
lathe::bpf::stack_trace_map<16384> stacks SEC(".maps");

const volatile __u32 only_process = 0;       ///< 0: all
const volatile __u64 least_nanoseconds = 0;  ///< shorter sleeps do not count
__u64 switches, lost_sleeps, lost_totals;

static void sleep_begins(void* ctx, task_struct* task) {
  const __u32 process = static_cast<__u32>(BPF_CORE_READ(task, tgid));
  if (only_process && process != only_process) return;
  if (BPF_CORE_READ(task, __state) == 0) return;  // it would go on running
  Sleep sleep{};
  sleep.since = bpf_ktime_get_ns();
  sleep.wake.sleeper = process;
  sleep.wake.sleeperKernel = static_cast<int>(bpf_get_stackid(ctx, &stacks, 0));
  sleep.wake.sleeperUser = static_cast<int>(bpf_get_stackid(ctx, &stacks, BPF_F_USER_STACK));
  sleep.wake.wakerKernel = sleep.wake.wakerUser = -1;
  bpf_get_current_comm(sleep.wake.sleeperName, sizeof(sleep.wake.sleeperName));
  if (asleep.update(static_cast<__u32>(BPF_CORE_READ(task, pid)), sleep) != 0) __sync_fetch_and_add(&lost_sleeps, 1);
}

static void sleep_ends(task_struct* task) {
  const __u32 thread = static_cast<__u32>(BPF_CORE_READ(task, pid));
  Sleep* const sleep = asleep.lookup(thread);
  if (!sleep) return;
  const __u64 passed = bpf_ktime_get_ns() - sleep->since;
  if (passed >= least_nanoseconds) {
    if (Total* total = totals.lookup_or_insert(sleep->wake, Total{})) {
      __sync_fetch_and_add(&total->nanoseconds, passed);
      __sync_fetch_and_add(&total->count, 1);
    } else {
      __sync_fetch_and_add(&lost_totals, 1);
    }
  }
  asleep.erase(thread);
}

SEC("tp_btf/sched_switch") int BPF_PROG(on_switch, bool preempted, task_struct* previous, task_struct* next) {
  __sync_fetch_and_add(&switches, 1);
  if (!preempted) sleep_begins(ctx, previous);
  sleep_ends(next);
  return 0;
}

SEC("tp_btf/sched_waking") int BPF_PROG(on_waking, task_struct* woken) {
  Sleep* const sleep = asleep.lookup(static_cast<__u32>(BPF_CORE_READ(woken, pid)));
  if (!sleep) return 0;
  sleep->wake.waker = static_cast<__u32>(bpf_get_current_pid_tgid() >> 32);
  sleep->wake.wakerKernel = static_cast<int>(bpf_get_stackid(ctx, &stacks, 0));
  sleep->wake.wakerUser = static_cast<int>(bpf_get_stackid(ctx, &stacks, BPF_F_USER_STACK));
  bpf_get_current_comm(sleep->wake.wakerName, sizeof(sleep->wake.wakerName));
  return 0;
}

LATHE_BPF_LICENSE("GPL");
