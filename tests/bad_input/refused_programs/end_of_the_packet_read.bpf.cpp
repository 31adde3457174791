// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The byte behind a packet is read.
#include <lathe/bpf.h>

SEC("xdp") int last(xdp_md* context) {
  const auto* const end = reinterpret_cast<const volatile char*>(static_cast<unsigned long>(context->data_end));
  return *end ? XDP_PASS : XDP_DROP;
}
LATHE_BPF_LICENSE("GPL");
