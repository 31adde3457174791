// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A map look-up may find nothing.
#include <lathe/bpf.h>

lathe::bpf::hash_map<__u32, __u64, 16> counts SEC(".maps");
SEC("syscall") int look(__u32* context) {
  __u64* const count = counts.lookup(*context);
  return static_cast<int>(*count);
}
LATHE_BPF_LICENSE("GPL");

// wanted: map_value_unchecked.bpf.cpp:9:27: error: program 'look': the result of a map look-up is used without being compared with null
// wanted: return static_cast<int>(*count);
// wanted: map_value_unchecked.bpf.cpp:8:31: note: the result of bpf_map_lookup_elem is a pointer to a value of map 'counts' (8 bytes), or null
// wanted: hint: compare it first: if (auto* found = map.lookup(key)) { … use *found … }
