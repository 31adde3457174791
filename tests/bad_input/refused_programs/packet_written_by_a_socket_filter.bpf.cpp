// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Socket filters see packets through the context only.
#include <lathe/bpf.h>

SEC("socket") int first(__sk_buff* ctx) {
  return static_cast<int>(ctx->data);
}
LATHE_BPF_LICENSE("GPL");

// wanted: packet_written_by_a_socket_filter.bpf.cpp:7:32: error: program 'first': member 'data' of the context (4 bytes at offset 76) cannot be read or written by this type of program
// wanted: return static_cast<int>(ctx->data);
// wanted: hint: the kernel gives each type of program its own members; some are read-only, some take whole words
