// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A packet parser, a hash and a histogram bucket, for every compiler that meets them: a host's, a GPU's, the kernel's.
// No header is needed, memory is read byte by byte (packets are not aligned), and each access stands behind a
// comparison with the packet's end, as the kernel's verifier wants it.
#pragma once

namespace shared {

using u8 = unsigned char;
using u32 = unsigned int;

/// The ends of a UDP or TCP connection, as numbers of this machine.
struct Flow {
  u32 from = 0, to = 0;
  u32 fromPort = 0, toPort = 0;
  u32 protocol = 0;
};

/// One packet in four numbers.
struct Summary {
  u32 isFlow = 0;  ///< 1: IPv4 with UDP or TCP; else the other numbers but `bucket` are 0
  u32 protocol = 0;
  u32 hash = 0;
  u32 bucket = 0;
};

constexpr u32 big16(const u8* at) {
  return static_cast<u32>(at[0]) << 8 | at[1];
}
constexpr u32 big32(const u8* at) {
  return big16(at) << 16 | big16(at + 2);
}

/// Reads Ethernet, IPv4 without options, and ports. False for packets of other kinds, and for those that end too early.
constexpr bool parse(const u8* packet, const u8* end, Flow& out) {
  constexpr u32 ethernetBytes = 14, ipBytes = 20, ipType = 0x0800, version4 = 0x45, tcp = 6, udp = 17;
  if (packet + ethernetBytes + ipBytes + 4 > end) return false;
  const u8* const ip = packet + ethernetBytes;
  if (big16(packet + 12) != ipType || ip[0] != version4) return false;
  out.protocol = ip[9];
  if (out.protocol != tcp && out.protocol != udp) return false;
  out.from = big32(ip + 12);
  out.to = big32(ip + 16);
  out.fromPort = big16(ip + ipBytes);
  out.toPort = big16(ip + ipBytes + 2);
  return true;
}

/// Murmur3's 32-bit hash (Appleby, 2008) of five words.
constexpr u32 hash(const Flow& flow) {
  const u32 words[5] = {flow.from, flow.to, flow.fromPort, flow.toPort, flow.protocol};
  u32 h = 0x9747b28c;
  for (const u32 word : words) {
    u32 k = word * 0xcc9e2d51U;
    k = (k << 15 | k >> 17) * 0x1b873593U;
    h ^= k;
    h = (h << 13 | h >> 19) * 5 + 0xe6546b64U;
  }
  h ^= sizeof(words);
  h = (h ^ h >> 16) * 0x85ebca6bU;
  h = (h ^ h >> 13) * 0xc2b2ae35U;
  return h ^ h >> 16;
}

/// The bucket of a histogram by powers of two: 0 for 0 and 1, n for 2^n to 2^(n+1) - 1.
constexpr u32 bucket(u32 value) {
  u32 out = 0;
  for (u32 step = 16; step != 0; step /= 2) {
    if (value >> step == 0) continue;
    value >>= step;
    out += step;
  }
  return out;
}

constexpr Summary summarise(const u8* packet, const u8* end) {
  Summary out;
  out.bucket = bucket(static_cast<u32>(end - packet));
  if (Flow flow; parse(packet, end, flow)) {
    out.isFlow = 1;
    out.protocol = flow.protocol;
    out.hash = hash(flow);
  }
  return out;
}

}  // namespace shared
