// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// E8M0, E2M3 and E3M2: 262,144 floats of all exponents rounded each way, and all codes back. The number is the hash that
// a host program compiled with the headers of CUDA 13.0 gives of the same.
// RUN: %lathe run %s -t cpu -k hashed --grid 1 --group 1 --arg zeros:u32[1] --print 0:1 | FileCheck %s
// RUN: %compile %s -t cuda:sm_90 --emit ptx -o %t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_90 %t.ptx -o %t.cubin %}
// CHECK: 4010057384
// Pairs, doubles and bfloat16 give what single floats do, and so do the classes of numbers.
// RUN: %lathe run %s -t cpu -k differing --grid 1 --group 1 --arg zeros:u32[1] --print 0:1 | FileCheck --check-prefix=PAIRS %s
// PAIRS: [1]: 0{{$}}
#include <cuda_fp6.h>
#include <cuda_fp8.h>

__device__ void add(unsigned& hash, unsigned code) {
  hash = (hash ^ code) * 16777619u;
}

__global__ void hashed(unsigned* out) {
  unsigned hash = 2166136261u;
  for (unsigned t = 0; t < 262144; ++t) {
    const float x = __uint_as_float(t << 14 | (t * 2654435761u >> 18));
    add(hash, __nv_cvt_float_to_e8m0(x, __NV_SATFINITE, cudaRoundPosInf));
    add(hash, __nv_cvt_float_to_e8m0(x, __NV_NOSAT, cudaRoundPosInf));
    add(hash, __nv_cvt_float_to_e8m0(x, __NV_SATFINITE, cudaRoundZero));
    add(hash, __nv_cvt_float_to_fp6(x, __NV_E2M3, cudaRoundNearest));
    add(hash, __nv_cvt_float_to_fp6(x, __NV_E3M2, cudaRoundNearest));
    add(hash, __nv_cvt_float_to_fp6(x, __NV_E2M3, cudaRoundZero));
    add(hash, __nv_cvt_float_to_fp6(x, __NV_E3M2, cudaRoundZero));
  }
  for (unsigned code = 0; code < 256; ++code) {
    add(hash, __nv_cvt_e8m0_to_bf16raw(static_cast<__nv_fp8_storage_t>(code)).x);
    if (code >= 64) continue;
    add(hash, __nv_cvt_fp6_to_halfraw(static_cast<__nv_fp6_storage_t>(code), __NV_E2M3).x);
    add(hash, __nv_cvt_fp6_to_halfraw(static_cast<__nv_fp6_storage_t>(code), __NV_E3M2).x);
  }
  *out = hash;
}

__global__ void differing(unsigned* out) {
  unsigned different = 0;
  for (unsigned t = 0; t < 262144; ++t) {
    const float x = __uint_as_float(t << 14);
    const __nv_bfloat16_raw low = __nv_bfloat16_raw(__float2bfloat16(x));
    const float half = __bfloat162float(__float2bfloat16(x));
    for (const cudaRoundMode mode : {cudaRoundPosInf, cudaRoundZero}) {
      const unsigned one = __nv_cvt_float_to_e8m0(x, __NV_SATFINITE, mode), short_ = __nv_cvt_float_to_e8m0(half, __NV_SATFINITE, mode);
      different += __nv_cvt_double_to_e8m0(x, __NV_SATFINITE, mode) != one;
      different += __nv_cvt_bfloat16raw_to_e8m0(low, __NV_SATFINITE, mode) != short_;
      different += __nv_cvt_float2_to_e8m0x2({x, half}, __NV_SATFINITE, mode) != (one | short_ << 8);
      different += __nv_cvt_double2_to_e8m0x2({x, half}, __NV_SATFINITE, mode) != (one | short_ << 8);
      different += __nv_cvt_bfloat162raw_to_e8m0x2({low.x, low.x}, __NV_SATFINITE, mode) != short_ * 257;
    }
    const unsigned code = t & 0xffff;
    const auto pair = __nv_cvt_e8m0x2_to_bf162raw(static_cast<__nv_fp8x2_storage_t>(code));
    different += pair.x != __nv_cvt_e8m0_to_bf16raw(code & 255).x || pair.y != __nv_cvt_e8m0_to_bf16raw(code >> 8).x;
    const unsigned exponent = __float_as_uint(x) >> 23 & 255, fraction = __float_as_uint(x) & 0x7fffff;
    const int kind = exponent == 255 ? (fraction ? FP_NAN : FP_INFINITE) : exponent ? FP_NORMAL : fraction ? FP_SUBNORMAL : FP_ZERO;
    different += fpclassify(x) != kind;
  }
  *out = different;
}
