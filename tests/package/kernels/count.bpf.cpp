// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <lathe/bpf.h>

#include "step.h"

lathe::bpf::hash_map<__u32, __u64, 16> counts SEC(".maps");
const volatile __u32 factor = 1;

struct Sum {
  __u32 a, sum;
};
SEC("syscall") int add(Sum* args) {
  args->sum = args->a * factor + STEP;
  return 0;
}
LATHE_BPF_LICENSE("GPL");
