// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations that NVIDIA's assembler merges with their neighbours: a mask before the shift, a sign copied by masks,
// negations and operations of pairs as such.
// RUN: %compile %s -t cuda:sm_90 --emit ptx -o %t.ptx
// RUN: FileCheck %s < %t.ptx
#include <cuda_bf16.h>
#include <cuda_fp16.h>

// CHECK-LABEL: .entry maskedFirst(
// CHECK: xor.b32 [[BOTH:%r[0-9]+]]
// CHECK-NEXT: and.b32 [[KEPT:%r[0-9]+]], [[BOTH]], -65538;
// CHECK-NEXT: shr.u32 %r{{[0-9]+}}, [[KEPT]], 1;
extern "C" __global__ void maskedFirst(unsigned* out, const unsigned* a, const unsigned* b) {
  out[threadIdx.x] = ((a[threadIdx.x] ^ b[threadIdx.x]) >> 1) & 0x7fff7fff;
}

// A number that is used otherwise too is shifted as it is.
// CHECK-LABEL: .entry shiftedFirst(
// CHECK: shr.u32 [[SHIFTED:%r[0-9]+]], %r{{[0-9]+}}, 1;
// CHECK-NEXT: and.b32 %r{{[0-9]+}}, [[SHIFTED]], 2147450879;
extern "C" __global__ void shiftedFirst(unsigned* out, const unsigned* a, const unsigned* b) {
  const unsigned both = a[threadIdx.x] ^ b[threadIdx.x];
  out[threadIdx.x] = ((both >> 1) & 0x7fff7fff) + both;
}

// CHECK-LABEL: .entry signOfHalf(
// CHECK-NOT: setp
// CHECK: and.b32 {{.*}}, 2147483647;
// CHECK: and.b32 {{.*}}, -2147483648;
extern "C" __global__ void signOfHalf(float* out, const float* size, const __half* sign) {
  out[threadIdx.x] = copysignf(size[threadIdx.x], __half2float(sign[threadIdx.x]));
}

// CHECK-LABEL: .entry pairs(
// CHECK: fma.rn.bf16x2
// CHECK-NOT: {{fma.rn.bf16[^x]}}
extern "C" __global__ void pairs(__nv_bfloat162* out, const __nv_bfloat162* a, const __nv_bfloat162* b) {
  const unsigned i = threadIdx.x;
  out[i] = a[i] * b[i] + out[i];
}

// CHECK-LABEL: .entry negated(
// CHECK: {{neg.f16x2|xor.b32}}
// CHECK: neg.bf16
extern "C" __global__ void negated(__half2* out, __nv_bfloat16* other) {
  out[threadIdx.x] = -out[threadIdx.x];
  other[threadIdx.x] = -other[threadIdx.x];
}
