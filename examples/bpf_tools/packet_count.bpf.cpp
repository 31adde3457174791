// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts the packets that an interface receives, by the protocol in their IP header, before the network stack sees
// them.
#include <lathe/bpf.h>

#include "packet_count.h"

struct Ethernet {
  __u8 to[6], from[6];
  __be16 type;
};
struct Ip4 {
  __u8 version, service;
  __be16 bytes, number, fragment;
  __u8 hops, protocol;
};
struct Ip6 {
  __be32 flow;
  __be16 bytes;
  __u8 next, hops;
};

constexpr __u32 notIp = 256;
lathe::bpf::percpu_array_map<Count, notIp + 1> counts SEC(".maps");

/// A reader that goes through a packet header by header.
class Packet {
 public:
  explicit Packet(const xdp_md* ctx)
      : at_(reinterpret_cast<const char*>(static_cast<unsigned long>(ctx->data))),
        end_(reinterpret_cast<const char*>(static_cast<unsigned long>(ctx->data_end))) {}
  /// The next header, or null where the packet ends.
  template <class Header>
  const Header* next() {
    if (at_ + sizeof(Header) > end_) return nullptr;
    const auto* const header = reinterpret_cast<const Header*>(at_);
    at_ += sizeof(Header);
    return header;
  }

 private:
  const char* at_;
  const char* end_;
};

static __u32 protocolOf(const xdp_md* ctx) {
  Packet packet(ctx);
  const auto* const ethernet = packet.next<Ethernet>();
  if (!ethernet) return notIp;
  if (ethernet->type == __builtin_bswap16(0x0800)) {
    const auto* const ip = packet.next<Ip4>();
    return ip ? ip->protocol : notIp;
  }
  if (ethernet->type == __builtin_bswap16(0x86dd)) {
    const auto* const ip = packet.next<Ip6>();
    return ip ? ip->next : notIp;
  }
  return notIp;
}

SEC("xdp") int count(xdp_md* ctx) {
  if (Count* found = counts.lookup(protocolOf(ctx))) {
    found->packets += 1;
    found->bytes += ctx->data_end - ctx->data;
  }
  return XDP_PASS;
}

LATHE_BPF_LICENSE("GPL");
