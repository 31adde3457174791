// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A helper for GPL programs, without the licence. The compiler says so where the loader's constants do not decide it.
#include <lathe/bpf.h>

const volatile bool reads = true;
SEC("syscall") int look(__u64* context) {
  int value = 0;
  if (reads) bpf_probe_read_kernel(&value, sizeof(value), reinterpret_cast<const void*>(*context));
  return value;
}
LATHE_BPF_LICENSE("Proprietary");

// wanted: helper_for_gpl_programs.bpf.cpp:9:14: error: program 'look': a helper for GPL programs is called, and the program's licence is another, or missing
// wanted: bpf_probe_read_kernel(&value, sizeof(value), reinterpret_cast<const void*>(*context));
// wanted: hint: if the program's licence permits: LATHE_BPF_LICENSE("GPL")
