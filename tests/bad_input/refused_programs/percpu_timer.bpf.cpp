// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A timer is no plain memory.
#include <lathe/bpf.h>

struct Value { bpf_timer timer; __u64 count; };
lathe::bpf::array_map<Value, 4> values SEC(".maps");
SEC("tc") int on_packet(__sk_buff*) {
  Value* const value = values.lookup(0);
  if (value) *reinterpret_cast<volatile __u64*>(&value->timer) = 0;
  return 0;
}
LATHE_BPF_LICENSE("GPL");

// wanted: percpu_timer.bpf.cpp:10:64: error: program 'on_packet': the timer in a value is read or written
// wanted: if (value) *reinterpret_cast<volatile __u64*>(&value->timer) = 0;
// wanted: percpu_timer.bpf.cpp:10:7: note: on this path r0 == 0x0 is false
// wanted: hint: leave the member to bpf_timer_…
