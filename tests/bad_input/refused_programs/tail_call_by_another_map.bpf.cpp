// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tail call goes through a map of programs only.
#include <lathe/bpf.h>

lathe::bpf::array_map<__u32, 4> values SEC(".maps");
SEC("xdp") int jump(xdp_md* ctx) {
  bpf_tail_call(ctx, &values, 0);
  return XDP_PASS;
}
LATHE_BPF_LICENSE("GPL");

// wanted: tail_call_by_another_map.bpf.cpp:8:3: error: program 'jump': a tail call goes through a map that holds no programs
// wanted: bpf_tail_call(ctx, &values, 0);
// wanted: hint: use a program_array
