// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A member of the context is read-only.
#include <lathe/bpf.h>

SEC("xdp") int first(xdp_md* ctx) {
  ctx->ingress_ifindex = 1;
  return XDP_PASS;
}
LATHE_BPF_LICENSE("GPL");
