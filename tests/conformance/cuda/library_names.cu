// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuda::std, conditions on the target, pairs of eight-bit numbers and the rarer functions of half.
#include <cooperative_groups.h>
#include <cuda/std/array>
#include <cuda/std/bit>
#include <cuda/std/complex>
#include <cuda/std/limits>
#include <cuda/std/optional>
#include <cuda/std/span>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <nv/target>

__global__ void standard(float* p) {
  const cuda::std::array<float, 3> numbers{1, 2, 4};
  cuda::std::complex<float> z(numbers[0], numbers[1]);
  z *= z;
  const cuda::std::tuple<int, float> pair{3, 0.5f};
  const cuda::std::optional<float> some = cuda::std::get<1>(pair);
  const cuda::std::span<float> out(p, 8);
  static_assert(cuda::std::is_same_v<cuda::std::remove_const_t<const int>, int>);
  out[0] = z.real();
  out[1] = z.imag();
  out[2] = some.value_or(7.0f);
  out[3] = static_cast<float>(cuda::std::popcount(0x1234u) + cuda::std::get<0>(pair));
  out[4] = cuda::std::numeric_limits<float>::epsilon();
  NV_IF_TARGET(NV_IS_HOST, (this is not even parsed;))
  NV_IF_TARGET(NV_IS_HOST, (neither is this;), (out[5] = numbers[1], out[6] = 6;))
  NV_DISPATCH_TARGET(NV_NO_TARGET, (nor this;), NV_PROVIDES_SM_50, (out[7] = 50;), NV_ANY_TARGET, (out[7] = 1;))
  cooperative_groups::invoke_one(cooperative_groups::this_thread_block(), [&] { NV_IF_ELSE_TARGET(NV_IS_DEVICE, (out[7] += 1;), (no)) });
}

__global__ void small(float4* four, __half2* pairs, unsigned* masks) {
  const unsigned i = threadIdx.x;
  const __nv_fp8x4_e4m3 eight(four[i]);
  four[i] = static_cast<float4>(eight);
  const __half2 a = pairs[2 * i], b = pairs[2 * i + 1];
  masks[4 * i] = __hgt2_mask(a, b) ^ __hleu2_mask(b, a) << 1;
  masks[4 * i + 1] = __nv_cvt_float2_to_fp8x2(float2{1.0f + static_cast<float>(i), -0.75f}, __NV_SATFINITE, __NV_E5M2);
  const __half2 maximum = __hmax2_nan(a, b);
  masks[4 * i + 2] = (__hisnan(maximum.x) ? 1 : 0) | (__hisnan(maximum.y) ? 2 : 0);
  masks[4 * i + 3] = __hne2_mask(a, a) | __heq2_mask(b, b) >> 1;
  pairs[2 * i] = __hcmadd(__floats2half2_rn(1, 2), __floats2half2_rn(3, 4), __floats2half2_rn(static_cast<float>(i), 1));
  pairs[2 * i + 1] = __hfma2_sat(__floats2half2_rn(0.5f, 2), __floats2half2_rn(0.5f, -1), __floats2half2_rn(0, 0));
}
