// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer intrinsics, each into its own column.
__global__ void integerIntrinsics(const int* a, const int* b, unsigned long long* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int x = a[i], y = b[i];
  const unsigned u = x, v = y;
  const unsigned long long wide = static_cast<unsigned long long>(u) << 32 | v;
  unsigned long long* row = out + i * 24;
  *row++ = __popc(u);
  *row++ = __popcll(wide);
  *row++ = __clz(x);
  *row++ = __clzll(static_cast<long long>(wide));
  *row++ = __ffs(x);
  *row++ = __ffsll(static_cast<long long>(wide));
  *row++ = __brev(u);
  *row++ = __brevll(wide);
  *row++ = __byte_perm(u, v, 0x6240);
  *row++ = __funnelshift_l(u, v, 13);
  *row++ = __funnelshift_r(u, v, 45);
  *row++ = __funnelshift_lc(u, v, 40);
  *row++ = __funnelshift_rc(u, v, 32);
  *row++ = static_cast<unsigned>(__mulhi(x, y));
  *row++ = __umulhi(u, v);
  *row++ = static_cast<unsigned long long>(__mul64hi(static_cast<long long>(wide), y));
  *row++ = __umul64hi(wide, wide);
  *row++ = static_cast<unsigned>(__mul24(x, y));
  *row++ = __umul24(u, v);
  *row++ = __sad(x, y, 7u);
  *row++ = __usad(u, v, 7u);
  *row++ = static_cast<unsigned>(__hadd(x, y));
  *row++ = static_cast<unsigned>(__rhadd(x, y));
  *row++ = __uhadd(u, v) + __urhadd(u, v);
}
