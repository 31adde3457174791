// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program returns what its type may not.
#include <lathe/bpf.h>

SEC("cgroup/sock_create") int create(void*) {
  return 7;
}
LATHE_BPF_LICENSE("GPL");

// wanted: result_out_of_range.bpf.cpp:7:3: error: program 'create': the program's result may be outside 0 to 1, which this type of program returns
// wanted: return 7;
// wanted: result_out_of_range.bpf.cpp:7:3: note: set here: the number 7
// wanted: hint: return one of these values on every path
