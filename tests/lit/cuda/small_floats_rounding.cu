// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Doubles and integers become half and bfloat16 in one rounding: these lie just beside the middle of two, where a float in
// between would land on it. And the dot products of bytes in vectors.
// RUN: %lathe run %s -t cpu --grid 1 --group 1 -k rounding --arg zeros:f32[12] --print 0:12 | FileCheck %s
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_80 %t.ptx -o %t.cubin %}
// RUN: FileCheck %s --check-prefix=PTX < %t.ptx
// CHECK: 1.000976{{[0-9]*}} 1 1 1.007812{{[0-9]*}} 16908288 -16908288 16777216 {{1.8446744e\+19|18446744073709551616}}
// CHECK-SAME: 70 -10 2 1
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__global__ void rounding(float* out) {
  out[0] = __half2float(__double2half(1 + 0x1p-11 + 0x1p-40));
  out[1] = __half2float(__double2half(1 + 0x1p-11));
  out[2] = __half2float(__double2half(1 + 0x1p-11 - 0x1p-40));
  out[3] = __bfloat162float(__double2bfloat16(1 + 0x1p-8 + 0x1p-40));
  out[4] = __bfloat162float(__int2bfloat16_rn((1 << 24) + (1 << 16) + 1));
  out[5] = __bfloat162float(__int2bfloat16_rd(-(1 << 24) - 1));
  out[6] = __bfloat162float(__int2bfloat16_rz((1 << 24) + 65535));
  out[7] = __bfloat162float(__ull2bfloat16_rn(~0ull));
  out[8] = __dp4a(make_char4(1, 2, 3, 4), make_char4(5, 6, 7, 8), 0);
  out[9] = __dp4a(make_char4(-1, -2, 0, 0), make_char4(2, 4, 0, 0), 0);
  out[10] = __dp2a_lo(make_short2(2, 0), make_char4(1, 0, 9, 9), 0);
  out[11] = __hbeq2(make_half2(1, 2), make_half2(1, 2)) && !(make_half2(1, 3) == make_half2(1, 2));
}

// What is named _rn is never fused with a neighbour.
// PTX-LABEL: .entry neverFused(
// PTX-DAG: mul.rn.f16
// PTX-DAG: add.rn.f16
// PTX-NOT: fma.rn.f16
// PTX: ret;
extern "C" __global__ void neverFused(__half* out, __half a, __half b, __half c) {
  *out = __hadd_rn(__hmul_rn(a, b), c);
}
