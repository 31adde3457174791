// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A helper is given a map of another kind.
#include <lathe/bpf.h>

lathe::bpf::hash_map<__u32, __u64, 16> counts SEC(".maps");
SEC("syscall") int send(__u64* context) {
  return static_cast<int>(bpf_ringbuf_output(&counts, context, 8, 0));
}
LATHE_BPF_LICENSE("GPL");

// wanted: helper_given_the_wrong_map.bpf.cpp:8:27: error: program 'send': a function takes another kind of argument (the program's context)
// wanted: return static_cast<int>(bpf_ringbuf_output(&counts, context, 8, 0));
// wanted: hint: look at the parameter's meaning: keys and values are addresses of variables, records come from reserve()
