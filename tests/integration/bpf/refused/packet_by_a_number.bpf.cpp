// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The index into a packet is not bounded.
#include <lathe/bpf.h>

SEC("xdp") int option(xdp_md* ctx) {
  const auto* const data = reinterpret_cast<const __u8*>(static_cast<unsigned long>(ctx->data));
  const auto* const end = reinterpret_cast<const __u8*>(static_cast<unsigned long>(ctx->data_end));
  if (data + 20 > end) return XDP_ABORTED;
  return data[data[0]] == 1 ? XDP_DROP : XDP_PASS;
}
LATHE_BPF_LICENSE("GPL");
