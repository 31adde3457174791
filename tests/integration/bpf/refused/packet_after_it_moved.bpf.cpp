// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointers into a packet end when it moves.
#include <lathe/bpf.h>

SEC("xdp") int shrink(xdp_md* ctx) {
  auto* const data = reinterpret_cast<__u8*>(static_cast<unsigned long>(ctx->data));
  const auto* const end = reinterpret_cast<const __u8*>(static_cast<unsigned long>(ctx->data_end));
  if (data + 14 > end) return XDP_ABORTED;
  if (bpf_xdp_adjust_head(ctx, 4) != 0) return XDP_ABORTED;
  data[0] = 1;
  return XDP_PASS;
}
LATHE_BPF_LICENSE("GPL");
