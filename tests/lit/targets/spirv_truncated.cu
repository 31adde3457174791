// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers that are cut and widened to less than they were: LLVM's selection gives the mask operands of two widths.
//
// REQUIRES: spirv-val
// RUN: %compile %s -t spirv -O0 --emit spv -o %t.0.spv && spirv-val --target-env spv1.4 %t.0.spv
// RUN: %compile %s -t spirv --emit spv -o %t.spv && spirv-val --target-env spv1.4 %t.spv
// RUN: spirv-dis %t.spv | FileCheck %s
// CHECK: OpBitwiseAnd %uint %{{[0-9]+}} %uint_65535
__global__ void cut(const unsigned long long* in, unsigned* out) {
  const unsigned i = threadIdx.x;
  out[4 * i] = static_cast<unsigned short>(in[i]);
  out[4 * i + 1] = static_cast<unsigned char>(in[i]) * 3u;
  unsigned char small;
  out[4 * i + 2] = __builtin_mul_overflow(static_cast<unsigned short>(in[i]), static_cast<unsigned short>(in[i + 1]), &small);
  out[4 * i + 3] = small + static_cast<unsigned short>(static_cast<unsigned char>(in[i] >> 7));
}
