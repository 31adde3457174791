// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pointer is taken from a number.
#include <lathe/bpf.h>

lathe::bpf::array_map<__u64, 4> counts SEC(".maps");
SEC("raw_tp/sched_switch") int on_switch(bpf_raw_tracepoint_args*) {
  __u64* const count = counts.lookup(0);
  if (!count) return 0;
  __u64 distance = 1000;
  asm volatile("%0 -= %1" : "+r"(distance) : "r"(count));
  *count = distance;
  return 0;
}
LATHE_BPF_LICENSE("GPL");

// wanted: pointer_subtracted_from_a_number.bpf.cpp:11:3: error: program 'on_switch': a pointer is subtracted from a number
// wanted: asm volatile("%0 -= %1" : "+r"(distance) : "r"(count));
// wanted: pointer_subtracted_from_a_number.bpf.cpp:9:7: note: set here: the number 1000
// wanted: hint: count in numbers: indices instead of pointers
