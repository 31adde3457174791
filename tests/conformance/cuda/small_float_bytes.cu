// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Eight-bit numbers, E4M3 and E5M2, saturated and not: from doubles, floats, half and bfloat16, alone and in pairs, and
// back to half. What is not a number is written as 0x7f, or 0x7fff.
#include <cuda_fp8.h>

__device__ unsigned cleaned(unsigned code, bool e4m3) {
  return e4m3 ? ((code & 0x7f) == 0x7f ? 0x7f : code) : ((code & 0x7f) > 0x7c ? 0x7f : code);
}

__global__ void narrow(const double* in, unsigned* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double x = in[i], other = in[n - 1 - i];
  const float single = static_cast<float>(x), otherSingle = static_cast<float>(other);
  const __half_raw h = __half(x), otherH = __half(other);
  const __nv_bfloat16_raw b = __nv_bfloat16(x), otherB = __nv_bfloat16(other);
  for (int form = 0; form < 4; ++form) {
    const auto kind = form & 1 ? __NV_E5M2 : __NV_E4M3;
    const auto saturation = form & 2 ? __NV_NOSAT : __NV_SATFINITE;
    const auto store = [&](int column, unsigned codes) {
      out[(form * 8 + column) * n + i] = cleaned(codes & 0xff, !(form & 1)) | cleaned(codes >> 8, !(form & 1)) << 8;
    };
    store(0, __nv_cvt_double_to_fp8(x, saturation, kind));
    store(1, __nv_cvt_float_to_fp8(single, saturation, kind));
    store(2, __nv_cvt_halfraw_to_fp8(h, saturation, kind));
    store(3, __nv_cvt_bfloat16raw_to_fp8(b, saturation, kind));
    store(4, __nv_cvt_double2_to_fp8x2(make_double2(x, other), saturation, kind));
    store(5, __nv_cvt_float2_to_fp8x2(make_float2(single, otherSingle), saturation, kind));
    store(6, __nv_cvt_halfraw2_to_fp8x2(__half2_raw{h.x, otherH.x}, saturation, kind));
    store(7, __nv_cvt_bfloat16raw2_to_fp8x2(__nv_bfloat162_raw{b.x, otherB.x}, saturation, kind));
  }
}

__global__ void wide(unsigned* out) {
  const auto code = static_cast<unsigned char>(threadIdx.x);
  const auto both = static_cast<unsigned short>(code | (code ^ 0x80) << 8);
  const auto bits = [](unsigned x) { return (x & 0x7fff) > 0x7c00 ? 0x7fffu : x; };
  for (int form = 0; form < 2; ++form) {
    const auto kind = form ? __NV_E5M2 : __NV_E4M3;
    const __half2_raw pair = __nv_cvt_fp8x2_to_halfraw2(both, kind);
    out[form * 512 + code] = bits(__nv_cvt_fp8_to_halfraw(code, kind).x);
    out[form * 512 + 256 + code] = bits(pair.x) | bits(pair.y) << 16;
  }
}
