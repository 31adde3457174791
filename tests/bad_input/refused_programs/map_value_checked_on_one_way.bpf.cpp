// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The comparison with null is on one way only.
#include <lathe/bpf.h>

lathe::bpf::array_map<__u64, 16> counts SEC(".maps");
SEC("syscall") int look(__u32* context) {
  __u64* const count = counts.lookup(*context);
  if (*context > 5 && !count) return 1;
  *count += 1;
  return 0;
}
LATHE_BPF_LICENSE("GPL");

// wanted: map_value_checked_on_one_way.bpf.cpp:10:10: error: program 'look': a pointer is used on a path where it is null
// wanted: *count += 1;
// wanted: map_value_checked_on_one_way.bpf.cpp:8:31: note: the result of bpf_map_lookup_elem is a pointer to a value of map 'counts' (8 bytes), or null
// wanted: map_value_checked_on_one_way.bpf.cpp:9:20: note: on this path w2 > 0x5 is false
// wanted: hint: use it only where the comparison with null has let it pass
