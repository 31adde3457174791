// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A helper that sleeps, in a program that may not. The compiler says so where the loader's constants do not decide it.
#include <lathe/bpf.h>

const volatile bool copies = true;
SEC("raw_tp/sys_enter") int on_call(__u64*) {
  char text[8] = {};
  if (copies) bpf_copy_from_user(text, sizeof(text), reinterpret_cast<const void*>(8UL));
  return text[0];
}
LATHE_BPF_LICENSE("GPL");

// wanted: sleeping_helper.bpf.cpp:9:15: error: program 'on_call': this helper may sleep, and the program may not
// wanted: bpf_copy_from_user(text, sizeof(text), reinterpret_cast<const void*>(8UL));
// wanted: hint: programs that may sleep have sections that end in .s (uprobe.s, lsm.s, iter.s, syscall)
