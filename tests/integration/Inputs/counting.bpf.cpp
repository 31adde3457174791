// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps, constants, variables and programs for the C skeleton.
#include <lathe/bpf.h>

struct Sum {
  __u32 a, b, sum, unused;
};
struct Stats {
  __u64 runs;
  char name[12];
  __u8 flag;
};
lathe::bpf::hash_map<__u32, __u64, 16> counts SEC(".maps");
lathe::bpf::ring_buffer<4096> events SEC(".maps");
const volatile __u32 bias = 0;
__u8 first = 1;
__u64 limit = 100;
__u64 total, calls;
Stats stats[2];
bool seen;

SEC("syscall") int add(Sum* sum) {
  sum->sum = sum->a + sum->b + bias;
  total += sum->sum;
  counts.update(first, limit);
  if (seen) stats[1].runs += 1;
  return 0;
}
SEC("raw_tp/sys_enter") int on_enter(void*) {
  __sync_fetch_and_add(&calls, 1);
  return 0;
}
LATHE_BPF_LICENSE("GPL");
