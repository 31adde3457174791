// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pointer to a value is moved by a signed number of which nothing is known.
#include <lathe/bpf.h>

lathe::bpf::array_map<char[64], 4> values SEC(".maps");
SEC("syscall") int move(long* context) {
  auto* const value = values.lookup(0);
  if (!value) return 0;
  (*value)[*context] = 1;
  return 0;
}
LATHE_BPF_LICENSE("GPL");
