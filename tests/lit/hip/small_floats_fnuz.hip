// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// AMD's 8-bit floats without infinities and negative zero: CDNA 3 converts them by instructions, other processors by arithmetic.
// Codes, in AMD's "CDNA3 Instruction Set Architecture": E4M3 counts its exponent from -8, E5M2 from -16; 0x80 is not a number.
// RUN: %compile %s -t amdgpu:gfx942 --emit asm -o %t.s && FileCheck %s --check-prefix=CDNA3 < %t.s
// RUN: %compile %s -t amdgpu:gfx1201 --emit asm -o %t.s && FileCheck %s --check-prefix=OTHER < %t.s
// RUN: %compile %s -t cuda:sm_90 -o %t.limg && %compile %s -t spirv -o %t.limg
// CDNA3-DAG: v_cvt_pk_fp8_f32
// CDNA3-DAG: v_cvt_pk_bf8_f32
// CDNA3-DAG: v_cvt_f32_fp8
// CDNA3-DAG: v_cvt_f32_bf8
// OTHER-NOT: v_cvt_{{pk_fp8|pk_bf8|f32_fp8|f32_bf8}}
// 1, the largest, what rounds to it and to the even one below, what saturates, the least, half of it, its negative, what saturates again, -0.
// RUN: %lathe run %s -t cpu -k to_e4m3 --grid 1 --group 10 --arg 'json:[1, 240, 247, 232, 1e9, 0.0009765625, 0.00048828125, -0.0009765625, 1e30, -0.0]' --arg zeros:u8[10] --print 1 | FileCheck %s --check-prefix=E4M3
// E4M3: out u8[10]: 64 127 127 126 127 1 0 129 127 0
// RUN: %lathe run %s -t cpu -k to_e5m2 --grid 1 --group 6 --arg 'json:[1, 57344, -1e9, 7.62939453125e-06, 3.814697265625e-06, 5.0]' --arg zeros:u8[6] --print 1 | FileCheck %s --check-prefix=E5M2
// E5M2: out u8[6]: 64 127 255 1 0 73
// RUN: %lathe run %s -t cpu -k from_both --grid 1 --group 5 --arg 'json:[64, 127, 1, 129, 0]' --arg zeros:f32[10] --print 1 | FileCheck %s --check-prefix=FROM
// FROM: out f32[10]: 1 240 0.0009765625 -0.0009765625 0 1 57344 7.6293945e-06 -7.6293945e-06 0
#include <hip/hip_fp8.h>
#include <hip/hip_runtime.h>

__global__ void to_e4m3(const float* in, unsigned char* out) {
  const __hip_fp8_e4m3_fnuz x = in[threadIdx.x];
  out[threadIdx.x] = x.__x;
}
__global__ void to_e5m2(const float* in, unsigned char* out) {
  out[threadIdx.x] = __hip_cvt_float_to_fp8(in[threadIdx.x], __HIP_SATFINITE, __HIP_E5M2_FNUZ);
}
__global__ void from_both(const unsigned char* in, float* out) {
  __hip_fp8_e4m3_fnuz x;
  __hip_fp8_e5m2_fnuz y;
  x.__x = y.__x = in[threadIdx.x];
  out[threadIdx.x] = x;
  out[threadIdx.x + blockDim.x] = y;
}
__global__ void others(__hip_fp8x2_e4m3_fnuz* pairs, __hip_fp8x4_e5m2_fnuz* fours, __half2 h, float4 f, double2 d, float* out) {
  pairs[0] = h, pairs[1] = d, fours[0] = f;
  const float4 back = fours[1];
  const float2 two = pairs[2];
  out[0] = __hip_fp8_e4m3(two.x), out[1] = static_cast<float>(__hip_fp8_e5m2(back.z));
  if (__hip_fp8_e5m2_fnuz(back.x)) pairs[3].__x = __hip_cvt_float2_to_fp8x2(two, __HIP_NOSAT, __HIP_E4M3_FNUZ);
}
