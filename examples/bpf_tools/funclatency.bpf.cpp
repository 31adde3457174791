// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures how long calls of one function of a program or library take: a histogram by powers of two.
#include <lathe/bpf.h>

constexpr __u32 buckets = 64;
lathe::bpf::hash_map<__u32, __u64, 16384> started SEC(".maps");  // by thread
lathe::bpf::percpu_array_map<__u64, buckets> histogram SEC(".maps");

/// The number of the highest bit: bucket n holds [2^n, 2^(n+1)) nanoseconds.
static __u32 highestBit(__u64 value) {
  __u32 bit = 0;
  for (__u32 step = 32; step > 0; step /= 2) {
    if (value >> step == 0) continue;
    value >>= step;
    bit += step;
  }
  return bit;
}

SEC("uprobe") int on_call(void*) {
  started.update(static_cast<__u32>(bpf_get_current_pid_tgid()), bpf_ktime_get_ns());
  return 0;
}

SEC("uretprobe") int on_return(void*) {
  const __u32 thread = static_cast<__u32>(bpf_get_current_pid_tgid());
  const __u64* const since = started.lookup(thread);
  if (!since) return 0;  // it was called before the probe was there
  if (__u64* count = histogram.lookup(highestBit(bpf_ktime_get_ns() - *since))) *count += 1;
  started.erase(thread);
  return 0;
}

LATHE_BPF_LICENSE("GPL");
