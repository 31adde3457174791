// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A packet is read behind what was compared with its end.
#include <lathe/bpf.h>

SEC("xdp") int first(xdp_md* ctx) {
  const auto* const data = reinterpret_cast<const __u8*>(static_cast<unsigned long>(ctx->data));
  const auto* const end = reinterpret_cast<const __u8*>(static_cast<unsigned long>(ctx->data_end));
  if (data + 14 > end) return XDP_ABORTED;
  return data[23] == 6 ? XDP_DROP : XDP_PASS;
}
LATHE_BPF_LICENSE("GPL");
