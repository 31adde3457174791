// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuda::std::numeric_limits of the floating-point types of 4 to 16 bits.
#include <cuda/std/limits>

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>

template <class T>
__device__ int bitsOf(T x) {
  if constexpr (sizeof(T) == 2)
    return *reinterpret_cast<unsigned short*>(&x);
  else
    return *reinterpret_cast<unsigned char*>(&x);
}

template <class T>
__device__ void list(int* out) {
  using L = cuda::std::numeric_limits<T>;
  const bool flags[] = {L::is_specialized, L::is_signed,         L::is_integer, L::is_exact,   L::has_infinity,
                        L::has_quiet_NaN,  L::has_signaling_NaN, L::is_iec559,  L::is_bounded, L::is_modulo,
                        L::traps,          L::tinyness_before};
  int word = 0;
  for (int i = 0; i < 12; ++i) word |= flags[i] << i;
  constexpr T largest = L::max();
  const int all[] = {word,
                     L::digits,
                     L::digits10,
                     L::max_digits10,
                     L::radix,
                     L::min_exponent,
                     L::min_exponent10,
                     L::max_exponent,
                     L::max_exponent10,
                     static_cast<int>(L::round_style),
                     bitsOf(L::min()),
                     bitsOf(largest),
                     bitsOf(L::lowest()),
                     bitsOf(L::epsilon()),
                     bitsOf(L::round_error()),
                     L::has_infinity ? bitsOf(L::infinity()) : 0,
                     L::has_quiet_NaN ? bitsOf(L::quiet_NaN()) : 0,
                     L::has_signaling_NaN ? bitsOf(L::signaling_NaN()) : 0,
                     L::is_signed ? bitsOf(L::denorm_min()) : 0,
                     cuda::std::numeric_limits<const T>::digits};
  for (int i = 0; i < 20; ++i) out[i] = all[i];
}

__global__ void limits(int* out) {
  list<__half>(out);
  list<__nv_bfloat16>(out + 20);
  list<__nv_fp8_e4m3>(out + 40);
  list<__nv_fp8_e5m2>(out + 60);
  list<__nv_fp8_e8m0>(out + 80);
  list<__nv_fp6_e2m3>(out + 100);
  list<__nv_fp6_e3m2>(out + 120);
  list<__nv_fp4_e2m1>(out + 140);
}
