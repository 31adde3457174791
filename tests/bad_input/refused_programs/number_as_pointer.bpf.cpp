// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A number is used as a pointer.
#include <lathe/bpf.h>

SEC("syscall") int look(__u64* context) {
  return *reinterpret_cast<const int*>(*context);
}
LATHE_BPF_LICENSE("GPL");

// wanted: number_as_pointer.bpf.cpp:7:10: error: program 'look': a number is used as a pointer
// wanted: return *reinterpret_cast<const int*>(*context);
// wanted: number_as_pointer.bpf.cpp:7:40: note: read here: a number of which nothing is known
// wanted: hint: memory of the kernel is read with BPF_CORE_READ or bpf_probe_read_kernel, that of a process with bpf_probe_read_user; pointers into a packet end with calls that move it: take data and data_end again
