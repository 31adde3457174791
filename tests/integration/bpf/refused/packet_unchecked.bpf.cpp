// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A packet is read without a comparison with its end.
#include <lathe/bpf.h>

SEC("xdp") int first(xdp_md* ctx) {
  const auto* const data = reinterpret_cast<const __u8*>(static_cast<unsigned long>(ctx->data));
  return data[12] == 8 ? XDP_PASS : XDP_DROP;
}
LATHE_BPF_LICENSE("GPL");
