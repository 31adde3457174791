// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// c += a b of 16 × 16 elements by one wave: by the matrix instructions of AMD's processors that have them, elsewhere element
// by element. Which lane holds what is in AMD's instruction set manuals ("CDNA3", "RDNA3" and "RDNA4", matrix instructions).
#include <hip/hip_runtime.h>

template <class T, int n>
using Vector = __attribute__((ext_vector_type(n))) T;

/// The numbers of an array as a vector and back. Elements of vectors by a number of run time are instructions that not every
/// emulator has.
template <class T, int n>
__device__ Vector<T, n> together(const T (&numbers)[n]) {
  Vector<T, n> out;
  __builtin_memcpy(&out, numbers, sizeof(numbers));
  return out;
}
template <class T, int n>
__device__ void apart(T (&numbers)[n], Vector<T, n> vector) {
  __builtin_memcpy(numbers, &vector, sizeof(numbers));
}

__global__ void product(const float* a, const float* b, float* c) {
  const int lane = static_cast<int>(threadIdx.x), place = lane % 16, part = lane / 16;
  if (lane >= warpSize) return;
#if defined(__gfx942__) || defined(__gfx90a__)
  _Float16 left[4], right[4];
  float sums[4];
  for (int i = 0; i < 4; ++i) {
    left[i] = static_cast<_Float16>(a[place * 16 + part * 4 + i]);
    right[i] = static_cast<_Float16>(b[(part * 4 + i) * 16 + place]);
    sums[i] = c[(part * 4 + i) * 16 + place];
  }
  apart(sums, __builtin_amdgcn_mfma_f32_16x16x16f16(together(left), together(right), together(sums), 0, 0, 0));
  for (int i = 0; i < 4; ++i) c[(part * 4 + i) * 16 + place] = sums[i];
#elif defined(__gfx1100__)
  _Float16 left[16], right[16];
  float sums[8];
  for (int k = 0; k < 16; ++k) {
    left[k] = static_cast<_Float16>(a[place * 16 + k]);
    right[k] = static_cast<_Float16>(b[k * 16 + place]);
  }
  for (int i = 0; i < 8; ++i) sums[i] = c[(2 * i + part) * 16 + place];
  apart(sums, __builtin_amdgcn_wmma_f32_16x16x16_f16_w32(together(left), together(right), together(sums)));
  for (int i = 0; i < 8; ++i) c[(2 * i + part) * 16 + place] = sums[i];
#elif defined(__gfx1201__)
  _Float16 left[8], right[8];
  float sums[8];
  for (int i = 0; i < 8; ++i) {
    left[i] = static_cast<_Float16>(a[place * 16 + part * 8 + i]);
    right[i] = static_cast<_Float16>(b[(part * 8 + i) * 16 + place]);
    sums[i] = c[(part * 8 + i) * 16 + place];
  }
  apart(sums, __builtin_amdgcn_wmma_f32_16x16x16_f16_w32_gfx12(together(left), together(right), together(sums)));
  for (int i = 0; i < 8; ++i) c[(part * 8 + i) * 16 + place] = sums[i];
#else
  for (int row = part; row < 16; row += warpSize / 16) {
    for (int k = 0; k < 16; ++k) c[row * 16 + place] += a[row * 16 + k] * b[k * 16 + place];
  }
#endif
}
