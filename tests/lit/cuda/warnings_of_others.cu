// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang warns of shifts by sums, of `else` behind two `if` and of formats for the other one of two types of 64 bits, nvcc 13.0
// does not; it warns of the last two formats and of the assignment (#181-D, #187-D).
// RUN: %compile %s -t cuda:sm_90 --emit ptx -o %t.ptx 2>&1 | FileCheck %s --implicit-check-not=warning:
// RUN: %compile %s -x hip -t cuda:sm_90 --emit ptx -o %t.ptx 2>&1 | FileCheck %s --implicit-check-not=warning:
#include <cstdint>
#include <cstdio>
__global__ void says(int* out, int a, int b, std::size_t size, std::intmax_t most, unsigned long long counter) {
  *out = a << b + 1;
  if (a > 0)
    if (b > 0) out[0] = 1;
    else out[0] = 2;
  printf("%lld %jd %ld %llx %lu %zu %td %ju", size, most, counter, size, counter, counter, size, 1ULL);
  // CHECK: [[@LINE+1]]:{{[0-9]+}}: warning: format specifies type 'long' but the argument has type 'int'
  printf("%ld", a);
  // CHECK: [[@LINE+1]]:{{[0-9]+}}: warning: format specifies type 'int' but the argument has type 'unsigned long long'
  printf("%d", counter);
  // CHECK: [[@LINE+1]]:{{[0-9]+}}: warning: using the result of an assignment as a condition without parentheses
  if (out[1] = 3) out[2] = 1;
}
