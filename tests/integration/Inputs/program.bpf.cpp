// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <lathe/bpf.h>

struct Sum {
  __u32 a, b;
  __u64 sum;
};
struct Stats {
  __u32 calls;
  __u32 last[2];
};

lathe::bpf::hash_map<__u32, __u64, 4096> switches SEC(".maps");
lathe::bpf::percpu_array_map<Stats, 1> stats SEC(".maps");
lathe::bpf::ring_buffer<4096> events SEC(".maps");
lathe::bpf::ring_buffer<4096, Sum> sums SEC(".maps");
const volatile __u32 bias = 0;
__u64 total;

SEC("syscall") int add(Sum* args) {
  args->sum = args->a + args->b + bias;
  total += args->sum;
  if (Stats* found = stats.lookup(0)) ++found->calls;
  if (Sum* const record = sums.reserve()) {
    *record = *args;
    sums.submit(record);
  }
  return static_cast<int>(args->sum);
}

SEC("xdp") int drop(xdp_md*) {
  return XDP_DROP;
}

SEC("raw_tp/sched_switch") int on_switch(bpf_raw_tracepoint_args*) {
  const __u32 process = static_cast<__u32>(bpf_get_current_pid_tgid() >> 32);
  if (__u64* count = switches.lookup_or_insert(process, 0)) __sync_fetch_and_add(count, 1);
  return 0;
}

LATHE_BPF_LICENSE("GPL");
