// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A callback over a map's entries reads more than the key.
#include <lathe/bpf.h>

lathe::bpf::hash_map<__u32, __u64, 16> counts SEC(".maps");
static long visit(void*, const __u64* key, __u64* count, __u64* sum) {
  *sum += *key + *count;
  return 0;
}
SEC("syscall") int sum_up(__u64* context) {
  __u64 sum = 0;
  bpf_for_each_map_elem(&counts, reinterpret_cast<void*>(&visit), &sum, 0);
  *context = sum;
  return 0;
}
LATHE_BPF_LICENSE("GPL");

// wanted: key_read_beyond_its_end.bpf.cpp:8:8: error: program 'sum_up': 8 bytes at offset 0 lie outside the map's key, which has 4
// wanted: *sum += *key + *count;
// wanted: hint: use the map's own key type
