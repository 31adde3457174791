// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bits of a pointer are masked.
#include <lathe/bpf.h>

lathe::bpf::array_map<__u64, 16> values SEC(".maps");
SEC("syscall") int look(__u32*) {
  unsigned long value = reinterpret_cast<unsigned long>(values.lookup(0));
  if (!value) return 1;
  __asm__ volatile("%0 &= -8" : "+r"(value));
  return static_cast<int>(*reinterpret_cast<const __u64*>(value));
}
LATHE_BPF_LICENSE("GPL");

// wanted: pointer_masked.bpf.cpp:10:3: error: program 'look': the bits of a pointer are changed (a pointer to a value of map 'values' (8 bytes))
// wanted: __asm__ volatile("%0 &= -8" : "+r"(value));
// wanted: pointer_masked.bpf.cpp:8:64: note: the result of bpf_map_lookup_elem is a pointer to a value of map 'values' (8 bytes)
// wanted: pointer_masked.bpf.cpp:9:7: note: on this path r0 == 0x0 is false
// wanted: hint: pointers are only moved by numbers; mask the index instead
