// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A helper is given a size beyond the variable.
#include <lathe/bpf.h>

SEC("syscall") int look(__u64*) {
  char name[8];
  bpf_get_current_comm(name, 520);
  return name[0];
}
LATHE_BPF_LICENSE("GPL");

// wanted: helper_given_too_many_bytes.bpf.cpp:8:3: error: program 'look': 520 bytes are written at -8 of the stack, outside the variable that is meant
// wanted: bpf_get_current_comm(name, 520);
// wanted: hint: give the function the size of the variable itself: sizeof(buffer)
