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
lathe::bpf::stack_trace_map<placesOfStacks> stacks SEC(".maps"), more_stacks SEC(".maps");
lathe::bpf::percpu_array_map<__u64, 1> switches_of_cpu SEC(".maps");  // counted apart from what may be lost

const volatile __u32 only_process = 0;       ///< 0: all
const volatile char only_command[16] = "";   ///< "": all
const volatile __u64 least_nanoseconds = 0;  ///< shorter sleeps do not count
__u32 running;                               ///< 0 while only a part of the programs is attached
__u64 switches, lost_sleeps, lost_totals, lost_stacks;

static bool is_wanted(const char* command) {
  for (int i = 0; i < 16 && only_command[i]; ++i)
    if (command[i] != only_command[i]) return false;
  return true;
}

/// The number of the stack, or below 0: kernel threads have no user stack (EFAULT), and others are lost where there is
/// no place for them.
static int stack_of(void* ctx, __u64 flags) {
  auto number = static_cast<int>(bpf_get_stackid(ctx, &stacks, flags));
  constexpr int no_memory = -12, has_another = -17;
  if (number == has_another) {
    number = static_cast<int>(bpf_get_stackid(ctx, &more_stacks, flags));
    if (number >= 0) return number + static_cast<int>(placesOfStacks);
  }
  if (number == no_memory || number == has_another) __sync_fetch_and_add(&lost_stacks, 1);
  return number;
}

static void sleep_begins(void* ctx, task_struct* task) {
  const __u32 process = static_cast<__u32>(BPF_CORE_READ(task, tgid));
  if (only_process && process != only_process) return;
  if (BPF_CORE_READ(task, __state) == 0) return;  // it would go on running
  Sleep sleep{};
  sleep.since = bpf_ktime_get_ns();
  sleep.wake.sleeper = process;
  bpf_get_current_comm(sleep.wake.sleeperName, sizeof(sleep.wake.sleeperName));
  if (!is_wanted(sleep.wake.sleeperName)) return;
  sleep.wake.sleeperKernel = stack_of(ctx, 0);
  sleep.wake.sleeperUser = stack_of(ctx, BPF_F_USER_STACK);
  sleep.wake.wakerKernel = sleep.wake.wakerUser = -1;
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
  if (!running) return 0;
  __sync_fetch_and_add(&switches, 1);
  if (!preempted) sleep_begins(ctx, previous);
  sleep_ends(next);
  return 0;
}

SEC("tp_btf/sched_waking") int BPF_PROG(on_waking, task_struct* woken) {
  Sleep* const sleep = asleep.lookup(static_cast<__u32>(BPF_CORE_READ(woken, pid)));
  if (!sleep) return 0;
  sleep->wake.waker = static_cast<__u32>(bpf_get_current_pid_tgid() >> 32);
  sleep->wake.wakerKernel = stack_of(ctx, 0);
  sleep->wake.wakerUser = stack_of(ctx, BPF_F_USER_STACK);
  bpf_get_current_comm(sleep->wake.wakerName, sizeof(sleep->wake.wakerName));
  return 0;
}

SEC("raw_tp/sched_switch") int count_switches(void*) {
  if (__u64* const count = running ? switches_of_cpu.lookup(0) : nullptr) *count += 1;
  return 0;
}

LATHE_BPF_LICENSE("GPL");
