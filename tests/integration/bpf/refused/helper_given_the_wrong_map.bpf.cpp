// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A helper is given a map of another kind.
#include <lathe/bpf.h>

lathe::bpf::hash_map<__u32, __u64, 16> counts SEC(".maps");
SEC("syscall") int send(__u64* context) {
  return static_cast<int>(bpf_ringbuf_output(&counts, context, 8, 0));
}
LATHE_BPF_LICENSE("GPL");
