// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A helper is not for this type of program. The compiler says so where the loader's constants do not decide it.
#include <lathe/bpf.h>

const volatile bool stacks = true;
SEC("socket") int first(__sk_buff* ctx) {
  if (!stacks) return 0;
  return static_cast<int>(bpf_get_stackid(ctx, ctx, 0));
}
LATHE_BPF_LICENSE("GPL");

// wanted: helper_of_other_programs.bpf.cpp:9:27: error: program 'first': programs of this type may not call bpf_get_stackid
// wanted: return static_cast<int>(bpf_get_stackid(ctx, ctx, 0));
// wanted: hint: the kernel gives each type of program its own helpers
