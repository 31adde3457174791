// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// packet.h on a device, an item a packet, and in the kernel, a run a packet: this file is compiled for both.
#include "packet.h"

#ifdef __bpf__

#include <lathe/bpf.h>

shared::Summary summary;

SEC("xdp") int summarise(xdp_md* context) {
  const auto* const packet = reinterpret_cast<const shared::u8*>(static_cast<unsigned long>(context->data));
  const auto* const end = reinterpret_cast<const shared::u8*>(static_cast<unsigned long>(context->data_end));
  summary = shared::summarise(packet, end);
  return XDP_PASS;
}

LATHE_BPF_LICENSE("GPL");

#else

#include <lathe/device.h>

/// Packet i is the bytes from offsets[i] to offsets[i + 1].
LATHE_KERNEL void summarise(unsigned count, const shared::u8* bytes, const unsigned* offsets, shared::Summary* out) {
  const unsigned i = lathe::global_id().x;
  if (i < count) out[i] = shared::summarise(bytes + offsets[i], bytes + offsets[i + 1]);
}

#endif
