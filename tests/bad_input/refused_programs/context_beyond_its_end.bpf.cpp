// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The context is read beyond its end.
#include <lathe/bpf.h>

struct Longer { __u32 words[32]; };
SEC("xdp") int first(Longer* ctx) {
  return static_cast<int>(ctx->words[30]);
}
LATHE_BPF_LICENSE("GPL");

// wanted: context_beyond_its_end.bpf.cpp:8:27: error: program 'first': member 'words[30]' of the context (4 bytes at offset 120) cannot be read or written by this type of program
// wanted: return static_cast<int>(ctx->words[30]);
// wanted: hint: the kernel gives each type of program its own members; some are read-only, some take whole words
