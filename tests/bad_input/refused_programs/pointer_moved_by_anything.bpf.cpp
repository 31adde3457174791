// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pointer to a value is moved by a signed number of which nothing is known.
#include <lathe/bpf.h>

lathe::bpf::array_map<char[64], 4> values SEC(".maps");
SEC("syscall") int move(long* context) {
  auto* const value = values.lookup(0);
  if (!value) return 0;
  (*value)[*context] = 1;
  return 0;
}
LATHE_BPF_LICENSE("GPL");

// wanted: pointer_moved_by_anything.bpf.cpp:10:3: error: program 'move': a pointer is moved by a number that may be far below 0
// wanted: (*value)[*context] = 1;
// wanted: pointer_moved_by_anything.bpf.cpp:9:7: note: on this path r0 == 0x0 is false
// wanted: hint: check the number first, or make it unsigned
