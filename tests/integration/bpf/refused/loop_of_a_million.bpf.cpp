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
