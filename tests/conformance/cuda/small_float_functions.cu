// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The mathematics of half and bfloat16, alone and in pairs: results as floats, one output a function.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#define FUNCTION(name)                                                                            \
  {                                                                                               \
    const auto both = h2##name(Pair(x, y));                                                       \
    o[0] = static_cast<float>(h##name(x));                                                        \
    o[n] = __low2float(both);                                                                     \
    o[2 * n] = __high2float(both);                                                                \
    o += 3 * n;                                                                                   \
  }

template <class Number, class Pair>
__device__ void functions(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const Number x(in[i]), y(in[n - 1 - i]);
  float* o = out + i;
  FUNCTION(ceil)
  FUNCTION(floor)
  FUNCTION(rint)
  FUNCTION(trunc)
  FUNCTION(cos)
  FUNCTION(sin)
  FUNCTION(exp)
  FUNCTION(exp2)
  FUNCTION(exp10)
  FUNCTION(log)
  FUNCTION(log2)
  FUNCTION(log10)
  FUNCTION(rcp)
  FUNCTION(rsqrt)
  FUNCTION(sqrt)
  FUNCTION(tanh)
  FUNCTION(tanh_approx)
}

__global__ void halves(const float* in, float* out, int n) { functions<__half, __half2>(in, out, n); }
__global__ void bfloats(const float* in, float* out, int n) { functions<__nv_bfloat16, __nv_bfloat162>(in, out, n); }
