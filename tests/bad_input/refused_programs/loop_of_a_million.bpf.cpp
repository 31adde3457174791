// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop has more iterations than the verifier goes over.
#include <lathe/bpf.h>

lathe::bpf::array_map<__u64, 4> sums SEC(".maps");
SEC("syscall") int add(__u32* context) {
  __u64 sum = 0;
  for (__u32 i = 0; i < 2000000; ++i) sum += bpf_get_prandom_u32() + *static_cast<volatile __u32*>(context);
  sums.update(0, sum);
  return 0;
}
LATHE_BPF_LICENSE("GPL");

// wanted: loop_of_a_million.bpf.cpp:9:23: error: program 'add': the verifier gave up after 1000001 instructions: a loop with too many iterations, or too many paths
// wanted: for (__u32 i = 0; i < 2000000; ++i) sum += bpf_get_prandom_u32() + *static_cast<volatile __u32*>(context);
// wanted: loop_of_a_million.bpf.cpp:9:3: note: on this path w8 == 0x0 is false
// wanted: hint: use bpf_loop for long loops; put parts into functions marked __noinline, which are checked once
