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
