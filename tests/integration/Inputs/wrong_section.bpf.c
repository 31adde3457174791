// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <lathe/bpf.h>

SEC("xpd") int pass(struct xdp_md* packet) {
  return XDP_PASS;
}
LATHE_BPF_LICENSE("GPL");
