// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A signed index is not compared with 0.
#include <lathe/bpf.h>

struct Value { __u32 slots[8]; };
lathe::bpf::array_map<Value, 1> values SEC(".maps");
SEC("syscall") int count(__s64* context) {
  Value* const value = values.lookup(0);
  if (!value) return 1;
  const __s64 index = *context;
  if (index < 8) value->slots[index] += 1;
  return 0;
}
LATHE_BPF_LICENSE("GPL");

// wanted: value_index_negative.bpf.cpp:12:18: error: program 'count': a pointer is moved by a number that may be far below 0
// wanted: if (index < 8) value->slots[index] += 1;
// wanted: value_index_negative.bpf.cpp:10:7: note: on this path r0 == 0x0 is false
// wanted: value_index_negative.bpf.cpp:12:13: note: on this path r2 s> 0x7 is false
// wanted: hint: check the number first, or make it unsigned
