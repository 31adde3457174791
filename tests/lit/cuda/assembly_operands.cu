// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operands of inline PTX whose types are not those of their constraints are errors, as nvcc has them: Clang would widen,
// cut or reinterpret them.
// RUN: not %compile %s -t cuda:sm_90 --emit ptx -o %t.ptx 2>&1 | FileCheck %s
// RUN: not %lathe run %s -t cpu -k cut --grid 1 --group 1 --arg zeros:i64[1] --arg zeros:i32[1] 2>&1 | FileCheck %s --check-prefix=CPU
// RUN: %if nvcc %{ not %nvcc -ptx -arch=sm_90 %s -o %t.nvcc.ptx 2>&1 | FileCheck %s --check-prefix=NVCC %}
// RUN: %compile %s -DRIGHT -t cuda:sm_90 --emit ptx -o - | FileCheck %s --check-prefix=RIGHT
// CHECK-COUNT-6: error: operand
// CHECK-NOT: error: operand
// CPU: error: operand 1 of inline PTX is an integer of 64 bits, where its constraint "r" is for integers of 32 bits
// NVCC-COUNT-6: error: asm operand type size({{.*}}) does not match type/size implied by constraint
// RIGHT-LABEL: .entry right(
// RIGHT: // {{.*}} 7
#ifdef RIGHT
extern "C" __global__ void right(const int* p, short h, int r, unsigned long l, __int128 q, float f, double d,
                                 int* out) {
  asm volatile("// %0 %1 %2 %3 %4 %5 %6 %7" ::"h"(h), "r"(r), "l"(l), "q"(q), "f"(f), "d"(d), "l"(p), "n"(7));
  asm volatile("// %0 %1" : "=r"(*out) : "0"(r));
}
#else
extern "C" __global__ void cut(long* in, int* out) {
  int y;
  asm volatile("mov.u32 %0, %1;" : "=r"(y) : "r"(in[0]));
  *out = y;
}
__global__ void widened(int in, long* out) {
  asm volatile("mov.u64 %0, %1;" : "=l"(*out) : "l"(in));
}
__global__ void reinterpreted(int in, float* out) {
  asm volatile("mov.f32 %0, %1;" : "=f"(*out) : "f"(in));
}
__global__ void narrow(short in, bool flag) {
  asm volatile("// %0" ::"r"(in));
  asm volatile("// %0" ::"r"(flag));
}
__global__ void both(long in, long* out) {
  asm volatile("// %0" : "+r"(in));
  *out = in;
}
#endif
