// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An atomic operation reaches a packet.
#include <lathe/bpf.h>

SEC("xdp") int first(xdp_md* ctx) {
  auto* const data = reinterpret_cast<__u32*>(static_cast<unsigned long>(ctx->data));
  const auto* const end = reinterpret_cast<const __u32*>(static_cast<unsigned long>(ctx->data_end));
  if (data + 1 > end) return XDP_ABORTED;
  __sync_fetch_and_add(data, 1);
  return XDP_PASS;
}
LATHE_BPF_LICENSE("GPL");
