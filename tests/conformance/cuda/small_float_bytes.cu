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

/// Doubles that are not numbers, alone and in twos and fours; pairs of 16-bit numbers counted up and down.
__global__ void signs(const unsigned long long* in, unsigned* out) {
  double x[4];
  for (int k = 0; k < 4; ++k) x[k] = __longlong_as_double(static_cast<long long>(in[(threadIdx.x + k) % 8]));
  unsigned* const row = out + 10 * threadIdx.x;
  row[0] = __nv_cvt_double_to_fp8(x[0], __NV_SATFINITE, __NV_E4M3);
  row[1] = __nv_cvt_double_to_fp8(x[0], __NV_NOSAT, __NV_E5M2);
  row[2] = __nv_fp8_e4m3(x[0]).__x | __nv_fp8_e5m2(x[0]).__x << 8;
  row[3] = __nv_fp8x2_e4m3(make_double2(x[0], x[1])).__x;
  row[4] = __nv_fp8x2_e5m2(make_double2(x[0], x[1])).__x;
  row[5] = __nv_fp8x4_e4m3(make_double4(x[0], x[1], x[2], x[3])).__x;
  row[6] = __nv_fp8x4_e5m2(make_double4(x[0], x[1], x[2], x[3])).__x;
  const float from = static_cast<float>(threadIdx.x);
  __half2 h(__half(from), __half(-from));
  const __half2 old = h++;
  --h;
  row[7] = old == h;
  row[7] += ++h == __half2(__half(from + 1), __half(1 - from));
  __nv_bfloat162 b{__nv_bfloat16(from), __nv_bfloat16(-from)};
  const __nv_bfloat162 last = b--;
  ++b;
  row[8] = last == b;
  row[8] += --b == __nv_bfloat162{__nv_bfloat16(from - 1), __nv_bfloat16(-from - 1)};
  row[9] = __nv_cvt_double2_to_fp8x2(make_double2(x[0], x[1]), __NV_NOSAT, __NV_E5M2);
}
