// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operands of inline assembly without a comma between them are two, as to nvcc; text that only looks so stays as it is.
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o - | FileCheck %s
// RUN: %if nvcc %{ %nvcc -std=c++17 -ptx -arch=sm_80 %s -o - | FileCheck %s %}
// RUN: %lathe run %s -t cpu -k both --grid 1 --group 1 --arg zeros:i32[4] --arg 7 --arg 5 --print 0 | FileCheck %s --check-prefix=RESULT
// RUN: not %compile %s -t cuda:sm_80 --emit ptx -o - -DBROKEN 2>&1 | FileCheck %s --check-prefix=PLACE
// CHECK: add.s32 [[SUM:%r[0-9]+]], [[A:%r[0-9]+]], [[B:%r[0-9]+]]; sub.s32 [[DIFFERENCE:%r[0-9]+]], [[A]], [[B]];
// RESULT: 12 2 35
// PLACE: operand_commas.cu:[[@LINE+16]]:65: error: use of undeclared identifier 'missing'
// clang-format off
#define TEXT(x) "" x
struct Numbers { int x, y; };

extern "C" __global__ void both(int* out, int a, int b) {
  int sum, difference;
  const Numbers numbers = {a, b};
  asm volatile("add.s32 %0, %2, %3; sub.s32 %1, %2, %3;"
               : "=r"(sum) "=r"(difference)
               : "r"(numbers.x)
                 "r" (numbers.y));
  out[0] = sum;
  out[1] = difference;
  asm(TEXT("mul.lo.s32 %0, ") "%1, %2;" : "=r"(out[2]) : "r"(a), "r"(b));  // (a) "r" (b)
#ifdef BROKEN
  asm("add.s32 %0, %1, %2;" : "=r"(out[3]) : "r"(numbers.x) "r"(missing));
#endif
}
