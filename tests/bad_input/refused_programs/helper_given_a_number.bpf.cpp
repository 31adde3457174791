// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A helper is given a number for a pointer.
#include <lathe/bpf.h>

lathe::bpf::hash_map<__u32, __u64, 16> counts SEC(".maps");
SEC("syscall") int look(__u64* context) {
  return bpf_map_lookup_elem(&counts, reinterpret_cast<const void*>(*context)) ? 1 : 0;
}
LATHE_BPF_LICENSE("GPL");

// wanted: helper_given_a_number.bpf.cpp:8:10: error: program 'look': a function takes another kind of argument
// wanted: return bpf_map_lookup_elem(&counts, reinterpret_cast<const void*>(*context)) ? 1 : 0;
// wanted: helper_given_a_number.bpf.cpp:8:69: note: read here: a number of which nothing is known
// wanted: hint: look at the parameter's meaning: keys and values are addresses of variables, records come from reserve()
