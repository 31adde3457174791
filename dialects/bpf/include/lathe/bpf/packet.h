// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A packet's bytes, taken header by header. Each step compares with the packet's end, as the verifier wants it.
//
//   lathe::bpf::packet packet(context);
//   const auto* const ethernet = packet.next<Ethernet>();
//   if (!ethernet || ethernet->type != …) return XDP_PASS;
#ifndef LATHE_BPF_PACKET_H
#define LATHE_BPF_PACKET_H

namespace lathe::bpf {

class packet {
 public:
  /// Context: xdp_md, __sk_buff, sk_msg_md or sk_reuseport_md. A call that moves the packet (bpf_xdp_adjust_head) ends
  /// the use of what came before.
  template <class Context>
  explicit __attribute__((always_inline)) packet(const Context* context)
      : at_((char*)(unsigned long)context->data), end_((char*)(unsigned long)context->data_end) {}

  /// The next header, which is one byte aligned; null if the packet ends before it does, and then nothing is taken.
  template <class Header>
  __attribute__((always_inline)) Header* next() {
    if (at_ + sizeof(Header) > end_) return nullptr;
    auto* const header = reinterpret_cast<Header*>(at_);
    at_ += sizeof(Header);
    // No packet begins at address 0: the caller's comparison with null is the one with the end, and costs nothing.
    __builtin_assume(header != nullptr);
    return header;
  }

 private:
  char *at_, *end_;
};

}  // namespace lathe::bpf

#endif
