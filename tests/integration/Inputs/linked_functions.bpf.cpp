// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <lathe/bpf.h>

namespace sums {
__noinline int ofDigits(__u32 number) {
  int sum = 0;
  for (int i = 0; i < 10; ++i) {
    sum += static_cast<int>(number % 10);
    number /= 10;
  }
  return sum;
}
}  // namespace sums
