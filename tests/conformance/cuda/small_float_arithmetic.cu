// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic of half and bfloat16, alone and in pairs, on words of two: each function on all of them, one output a
// function. What is not a number is written as 0x7fff; where CUDA does not say which zero it is, as the positive one.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

template <class Pair>
struct Operands {
  Pair x, y, z;
  unsigned* out;
  int n;
  unsigned infinity;

  __device__ unsigned cleaned(unsigned bits) const { return (bits & 0x7fff) > infinity ? 0x7fff : bits; }
  __device__ void put(Pair result) {
    unsigned word;
    memcpy(&word, &result, sizeof(word));
    *out = cleaned(word & 0xffff) | cleaned(word >> 16) << 16;
    out += n;
  }
  __device__ void putUnsigned(Pair result) {
    unsigned word;
    memcpy(&word, &result, sizeof(word));
    const unsigned low = cleaned(word & 0xffff), high = cleaned(word >> 16);
    *out = (low == 0x8000 ? 0 : low) | (high == 0x8000 ? 0 : high) << 16;
    out += n;
  }
};

#define ONE(put, pairs, name) o.put(pairs(o.x)), o.put({name(o.x.x), name(o.x.y)});
#define TWO(put, pairs, name) o.put(pairs(o.x, o.y)), o.put({name(o.x.x, o.y.x), name(o.x.y, o.y.y)});
#define THREE(put, pairs, name) o.put(pairs(o.x, o.y, o.z)), o.put({name(o.x.x, o.y.x, o.z.x), name(o.x.y, o.y.y, o.z.y)});

template <class Pair>
__device__ void arithmetic(const unsigned* a, const unsigned* b, const unsigned* c, unsigned* out, int n, unsigned infinity) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Operands<Pair> o{{}, {}, {}, out + i, n, infinity};
  memcpy(&o.x, a + i, sizeof(o.x));
  memcpy(&o.y, b + i, sizeof(o.y));
  memcpy(&o.z, c + i, sizeof(o.z));
  TWO(put, __hadd2, __hadd)
  TWO(put, __hadd2_rn, __hadd_rn)
  TWO(putUnsigned, __hadd2_sat, __hadd_sat)
  TWO(put, __hsub2, __hsub)
  TWO(put, __hsub2_rn, __hsub_rn)
  TWO(putUnsigned, __hsub2_sat, __hsub_sat)
  TWO(put, __hmul2, __hmul)
  TWO(put, __hmul2_rn, __hmul_rn)
  TWO(putUnsigned, __hmul2_sat, __hmul_sat)
  TWO(put, __h2div, __hdiv)
  TWO(put, __hmax2, __hmax)
  TWO(put, __hmin2, __hmin)
  TWO(put, __hmax2_nan, __hmax_nan)
  TWO(put, __hmin2_nan, __hmin_nan)
  THREE(put, __hfma2, __hfma)
  THREE(putUnsigned, __hfma2_sat, __hfma_sat)
  THREE(putUnsigned, __hfma2_relu, __hfma_relu)
  ONE(put, __hneg2, __hneg)
  ONE(put, __habs2, __habs)
  o.put(o.x + o.y), o.put(o.x - o.y), o.put(o.x * o.y), o.put(o.x / o.y), o.put(-o.x);
  o.put(__hcmadd(o.x, o.y, o.z));
}

__global__ void halves(const unsigned* a, const unsigned* b, const unsigned* c, unsigned* out, int n) {
  arithmetic<__half2>(a, b, c, out, n, 0x7c00);
}
__global__ void bfloats(const unsigned* a, const unsigned* b, const unsigned* c, unsigned* out, int n) {
  arithmetic<__nv_bfloat162>(a, b, c, out, n, 0x7f80);
}
