// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A value is read by a larger type.
#include <lathe/bpf.h>

struct Small { __u64 one; };
struct Large { __u64 one, two; };
lathe::bpf::array_map<Small, 1> values SEC(".maps");
SEC("syscall") int look(__u64* context) {
  auto* const value = reinterpret_cast<Large*>(values.lookup(0));
  if (!value) return 1;
  *context = value->two;
  return 0;
}
LATHE_BPF_LICENSE("GPL");

// wanted: value_read_beyond_its_end.bpf.cpp:12:21: error: program 'look': 8 bytes at offset 8 lie outside the map's value, which has 8
// wanted: *context = value->two;
// wanted: value_read_beyond_its_end.bpf.cpp:11:7: note: on this path r0 == 0x0 is false
// wanted: hint: check the index against the size of the array in the value
