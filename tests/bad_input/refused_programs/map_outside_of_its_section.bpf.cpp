// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A map that does not stand in the section of maps is a variable.
#include <lathe/bpf.h>

lathe::bpf::hash_map<__u32, __u64, 16> counts;
SEC("syscall") int look(__u32* context) { return counts.lookup(*context) ? 1 : 0; }
LATHE_BPF_LICENSE("GPL");

// wanted: map_outside_of_its_section.bpf.cpp:7:57: error: program 'look': a function takes a map, and is given something else (a pointer to a value of map
// wanted: SEC("syscall") int look(__u32* context) { return counts.lookup(*context) ? 1 : 0; }
// wanted: hint: maps stand in a section of their own: hash_map<…> counts SEC(".maps");
