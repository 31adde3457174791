// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A member of the context is read-only.
#include <lathe/bpf.h>

SEC("xdp") int first(xdp_md* ctx) {
  ctx->ingress_ifindex = 1;
  return XDP_PASS;
}
LATHE_BPF_LICENSE("GPL");

// wanted: context_member_that_is_read_only.bpf.cpp:7:24: error: program 'first': member 'ingress_ifindex' of the context (4 bytes at offset 12) cannot be read or written by this type of program
// wanted: ctx->ingress_ifindex = 1;
// wanted: hint: the kernel gives each type of program its own members; some are read-only, some take whole words
