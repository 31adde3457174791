// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <lathe/bpf.h>

lathe::bpf::array_map<__u64, 4> counts SEC(".maps");
__u64 total = 5;
SEC("syscall") int forget(__u64*) {
  total = 0;
  return 0;
}
LATHE_BPF_LICENSE("GPL");
