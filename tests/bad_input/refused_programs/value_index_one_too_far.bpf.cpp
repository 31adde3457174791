// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An index may be one too far.
#include <lathe/bpf.h>

struct Value { __u32 slots[8]; };
lathe::bpf::array_map<Value, 1> values SEC(".maps");
SEC("syscall") int count(__u32* context) {
  Value* const value = values.lookup(0);
  if (!value) return 1;
  const __u32 index = *context;
  if (index <= 8) value->slots[index] += 1;
  return 0;
}
LATHE_BPF_LICENSE("GPL");

// wanted: value_index_one_too_far.bpf.cpp:12:39: error: program 'count': 4 bytes at offset 32 lie outside the map's value, which has 32
// wanted: if (index <= 8) value->slots[index] += 1;
// wanted: value_index_one_too_far.bpf.cpp:10:7: note: on this path r0 == 0x0 is false
// wanted: value_index_one_too_far.bpf.cpp:12:13: note: on this path w2 > 0x8 is false
// wanted: hint: check the index against the size of the array in the value
