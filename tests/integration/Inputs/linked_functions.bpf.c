// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <lathe/bpf.h>

__noinline int squared(int number) {
  return number * number;
}
