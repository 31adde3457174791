// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pointer is shifted, to make a smaller key of it.
#include <lathe/bpf.h>

lathe::bpf::array_map<__u64, 4> counts SEC(".maps");
SEC("raw_tp/sched_switch") int on_switch(bpf_raw_tracepoint_args*) {
  __u64* const count = counts.lookup(0);
  if (count) *count = reinterpret_cast<unsigned long>(count) << 3;
  return 0;
}
LATHE_BPF_LICENSE("GPL");

// wanted: pointer_shifted.bpf.cpp:9:62: error: program 'on_switch': a pointer is multiplied, divided or shifted
// wanted: if (count) *count = reinterpret_cast<unsigned long>(count) << 3;
// wanted: pointer_shifted.bpf.cpp:8:31: note: the result of bpf_map_lookup_elem is a pointer to a value of map 'counts' (8 bytes)
// wanted: hint: pointers are only moved by numbers
