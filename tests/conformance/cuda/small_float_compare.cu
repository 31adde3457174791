// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Comparisons of half and bfloat16, ordered and unordered (u), each as two answers, a pair of ones and zeros, a mask, and
// one answer for both; what is infinite, and what is not a number; and pairs put together in other ways.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

template <class Pair>
struct Results {
  unsigned* out;
  int n;
  __device__ void put(unsigned word) {
    *out = word;
    out += n;
  }
  __device__ void put(Pair pair) {
    unsigned word;
    memcpy(&word, &pair, sizeof(word));
    put(word);
  }
};

#define COMPARISON(name)                                                         \
  o.put((__h##name(x.x, y.x) ? 1u : 0u) | (__h##name(x.y, y.y) ? 2u : 0u));      \
  o.put(__h##name##2(x, y));                                                     \
  o.put(__h##name##2_mask(x, y));                                                \
  o.put(__hb##name##2(x, y) ? 1u : 0u);
#define COMPARISONS(name) COMPARISON(name) COMPARISON(name##u)
#define OPERATOR(op) o.put((x.x op y.x ? 1u : 0u) | (x.y op y.y ? 2u : 0u) | (x op y ? 4u : 0u));

template <class Pair>
__device__ void compare(const unsigned* a, const unsigned* b, unsigned* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Results<Pair> o{out + i, n};
  Pair x, y;
  memcpy(&x, a + i, sizeof(x));
  memcpy(&y, b + i, sizeof(y));
  COMPARISONS(eq)
  COMPARISONS(ne)
  COMPARISONS(lt)
  COMPARISONS(le)
  COMPARISONS(gt)
  COMPARISONS(ge)
  OPERATOR(==)
  OPERATOR(!=)
  OPERATOR(<)
  OPERATOR(<=)
  OPERATOR(>)
  OPERATOR(>=)
  o.put((__hisnan(x.x) ? 1u : 0u) | (__hisnan(x.y) ? 2u : 0u));
  o.put(__hisnan2(x));
  o.put(static_cast<unsigned>(__hisinf(x.x)) << 16 | (static_cast<unsigned>(__hisinf(x.y)) & 0xffff));
  o.put(__lowhigh2highlow(x));
}
#define ARRANGE(type, pair, bits)                                                            \
  o.put(__low2##pair(x)), o.put(__high2##pair(x));                                           \
  o.put(__lows2##pair(x, y)), o.put(__highs2##pair(x, y));                                   \
  o.put(__halves2##pair(__low2##type(x), __high2##type(y)));                                 \
  o.put(make_##pair(__high2##type(y), __low2##type(x)));                                     \
  o.put(__##type##2##pair(x.y));                                                             \
  o.put(static_cast<unsigned>(__##type##_as_short(x.x)) << 16 | __##type##_as_ushort(y.x));  \
  o.put(__halves2##pair(__short_as_##type(static_cast<short>(bits)), __ushort_as_##type(static_cast<unsigned short>(bits >> 16))));

__global__ void halves(const unsigned* a, const unsigned* b, unsigned* out, int n) {
  compare<__half2>(a, b, out, n);
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Results<__half2> o{out + i + 58 * n, n};
  __half2 x, y;
  memcpy(&x, a + i, sizeof(x));
  memcpy(&y, b + i, sizeof(y));
  ARRANGE(half, half2, a[i])
}
__global__ void bfloats(const unsigned* a, const unsigned* b, unsigned* out, int n) {
  compare<__nv_bfloat162>(a, b, out, n);
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Results<__nv_bfloat162> o{out + i + 58 * n, n};
  __nv_bfloat162 x, y;
  memcpy(&x, a + i, sizeof(x));
  memcpy(&y, b + i, sizeof(y));
  ARRANGE(bfloat16, bfloat162, a[i])
}
