// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// AMD's libraries by the names of their bitcode, declared by the program or not; inline assembly, where the target's
// assembler reads it; components of vectors by number.
#include <hip/hip_runtime.h>

extern "C" __device__ __attribute__((const)) float __ocml_floor_f32(float);
extern "C" __device__ float __ocml_frexp_f32(float, __attribute__((address_space(5))) int*);
extern "C" __device__ size_t __ockl_get_local_id(unsigned);

__global__ void mathematics(const float* in, float* out) {
  const size_t i = __ockl_get_group_id(0) * __ockl_get_local_size(0) + __ockl_get_local_id(0);
  int exponent;
  const float x = in[i], part = __ocml_frexp_f32(x, (__attribute__((address_space(5))) int*)&exponent);
  out[6 * i] = __ocml_floor_f32(x);
  out[6 * i + 1] = part;
  out[6 * i + 2] = static_cast<float>(exponent);
  out[6 * i + 3] = __ocml_fma_f32(x, 2.0f, 1.0f);
  out[6 * i + 4] = __ocml_add_rtp_f32(x, 0x1p-30f);
  out[6 * i + 5] = static_cast<float>(__ocml_sqrt_f16(static_cast<_Float16>(x * x)));
}

__global__ void words(const unsigned* in, unsigned* out) {
  const unsigned i = static_cast<unsigned>(__ockl_get_global_id(0)), x = in[i];
  unsigned* const row = out + 8 * i;
  row[0] = __ockl_clz_u32(x | 1);
  row[1] = __ockl_popcount_u32(x);
  row[2] = __ockl_mul_hi_u32(x, 0x9e3779b9u);
  row[3] = __ockl_sadd_u32(x, 12345, i);
  row[4] = __ockl_wfred_max_u32(x);
  row[5] = static_cast<unsigned>(__ockl_wfred_add_i32(static_cast<int>(i)));
  row[6] = static_cast<unsigned>(__ockl_get_global_size(0) + __ockl_get_num_groups(1) + __ockl_get_local_id(2));
  row[7] = __ockl_wfany_i32(x % 64 == 5);
}

__device__ unsigned turned(unsigned x, unsigned by) {
  unsigned out = x >> by | x << (32 - by);
#ifdef __AMDGCN__
  asm volatile("; nothing of %0" : "+v"(out));
  asm("v_alignbit_b32 %0, %1, %1, %[by]" : "=&v"(out) : "v"(x), [by] "v"(by) : "v7");
#endif
  return out;
}
template <class T>
__device__ T exclusive(T x, T constant) {
#ifdef __AMDGCN__
  asm volatile("v_xor_b32 %0, %1, %0" : "+v"(x) : "s"(constant));
#else
  x ^= constant;
#endif
  return x;
}
__global__ void assembly(const unsigned* in, unsigned* out, unsigned constant) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[2 * i] = turned(in[i], i % 31 + 1);
  out[2 * i + 1] = exclusive(in[i], constant);
}

__global__ void components(const uint4* in, uint4* out, uint3* threes) {
  const unsigned i = threadIdx.x;
  uint4 x = in[i];
  unsigned sum = 0;
  for (int k = 0; k < 4; ++k) sum += x.data[k];
  x.data = x.data * 3u + sum;
  x.data[i % 4] = i;
  out[i] = x;
  threes[i].data[i % 3] += x.y;
}
