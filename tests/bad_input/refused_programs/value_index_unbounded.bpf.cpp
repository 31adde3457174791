// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An index into a value is not bounded.
#include <lathe/bpf.h>

struct Value { __u32 slots[8]; };
lathe::bpf::array_map<Value, 1> values SEC(".maps");
SEC("syscall") int count(__u64* context) {
  Value* const value = values.lookup(0);
  if (!value) return 1;
  value->slots[*context] += 1;
  return 0;
}
LATHE_BPF_LICENSE("GPL");

// wanted: value_index_unbounded.bpf.cpp:11:3: error: program 'count': a pointer is moved by a number that may be far below 0
// wanted: value->slots[*context] += 1;
// wanted: value_index_unbounded.bpf.cpp:10:7: note: on this path r0 == 0x0 is false
// wanted: hint: check the number first, or make it unsigned
