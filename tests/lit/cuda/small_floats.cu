// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// half and bfloat16 as neural networks use them, templates over the number type, packs of eight.
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx 2> %t.cuda
// RUN: %if ptxas %{ %ptxas -arch=sm_80 %t.ptx -o %t.cubin %}
// RUN: %compile %s -t cpu -o %t.limg
// RUN: %lathe run %s -t cpu --grid 1 --group 4 -k roundTrip --arg iota:f32[4] --print 0:4 | FileCheck %s
// RUN: %lathe run %s -t cpu --grid 1 --group 4 -k doubled --arg ones:bf16[4] --print 0:4 | FileCheck %s --check-prefix=ARRAY
// RUN: %lathe run %s -t cpu --grid 1 --group 4 -k crossed --arg iota:f16[4] --arg iota:bf16[4] --print 0:4 --print 1:4 | FileCheck %s --check-prefix=CROSSED
// RUN: %compile %s -t spirv -k doubled -o %t.limg
// CHECK: 0 2.5 5 7.5
// ARRAY: bf16[4]: 2 2 2 2
// CROSSED: f16[4]: 0 3 6 9
// CROSSED: bf16[4]: 0 3 6 9
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cstdio>

__global__ void roundTrip(float* data) {
  const half h = __float2half(data[threadIdx.x] * 2.0f);
  const __nv_bfloat16 b = __float2bfloat16(data[threadIdx.x] * 0.5f);
  data[threadIdx.x] = __half2float(h) + __bfloat162float(b);
}

// To hosts an array of it is one of bfloat16.
__global__ void doubled(__nv_bfloat16* data) {
  data[threadIdx.x] += data[threadIdx.x];
}

// A cast makes either type of the other.
__global__ void crossed(half* halves, __nv_bfloat16* bfloats) {
  const int i = threadIdx.x;
  bfloats[i] = (__nv_bfloat16)halves[i] + static_cast<__nv_bfloat16>(halves[i] + halves[i]);
  halves[i] = half(bfloats[i]);
}

template <typename T>
struct alignas(16) Pack {
  T values[16 / sizeof(T)];
};

template <typename T>
__global__ void gelu(const T* in, T* out, int n) {
  constexpr int each = 16 / sizeof(T);
  const int i = (blockIdx.x * blockDim.x + threadIdx.x) * each;
  if (i >= n) return;
  const Pack<T> x = *reinterpret_cast<const Pack<T>*>(in + i);
  Pack<T> y;
  for (int k = 0; k < each; ++k) {
    const float v = (float)x.values[k];
    y.values[k] = (T)(0.5f * v * (1.0f + tanhf(0.7978845608f * (v + 0.044715f * v * v * v))));
  }
  *reinterpret_cast<Pack<T>*>(out + i) = y;
}

__global__ void axpy2(half2 a, const half2* x, half2* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = __hfma2(a, x[i], y[i]);
}

__global__ void quantise(const float* in, __nv_fp8_e4m3* out) {
  out[threadIdx.x] = __nv_fp8_e4m3(in[threadIdx.x]);
}

int main() {
  half* h = NULL;
  gelu<<<1, 32>>>(h, h, 256);
  gelu<<<1, 32>>>((__nv_bfloat16*)NULL, (__nv_bfloat16*)NULL, 256);
  gelu<<<1, 32>>>((float*)NULL, (float*)NULL, 128);
  axpy2<<<1, 32>>>(__float2half2_rn(2.0f), (half2*)h, (half2*)h, 32);
  printf("%f\n", __half2float(__float2half(0.1f)));
}
