// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// rocPRIM's collectives with all forms of their methods. The input is a permutation of 0 … 511 that reverses it, so that every
// result is known.
// RUN: %compile %s -t amdgpu:gfx942 -o %t.limg && %compile %s -t cuda:sm_90 -o %t.limg && %compile %s -t spirv -o %t.limg
// RUN: %lathe run %s -t cpu -k all --grid 1 --group 128 --arg iota:i32[512] --arg zeros:i32[27] --print 1:27 | FileCheck %s
// CHECK: out i32[27]: -7 130816 9841 130816 611 130916 511 0 3 508 257 29 1 511 511 100 1 1 0 1 0 19 18 47 67 381 1
#include <hip/hip_runtime.h>
#include <rocprim/rocprim.hpp>

struct Prefix {
  int running;
  __device__ int operator()(int aggregate) {
    const int old = running;
    running += aggregate;
    return old;
  }
};
constexpr int X = 128, N = 4;
using Load = rocprim::block_load<int, X, N, rocprim::block_load_method::block_load_transpose>;
using Scan = rocprim::block_scan<int, X>;
using Sort = rocprim::block_radix_sort<int, X, N>;
using SortPairs = rocprim::block_radix_sort<unsigned, X, N, int>;
using Exchange = rocprim::block_exchange<int, X, N>;
using Reduce = rocprim::block_reduce<int, X>;
using Difference = rocprim::block_adjacent_difference<int, X>;
using Discontinuity = rocprim::block_discontinuity<int, X>;
using WarpScan = rocprim::warp_scan<int, 32>;
using WarpReduce = rocprim::warp_reduce<int, 16>;

__global__ void all(const int* in, int* out) {
  __shared__ union {
    Load::storage_type load;
    Scan::storage_type scan;
    Sort::storage_type sort;
    SortPairs::storage_type pairs;
    Exchange::storage_type exchange;
    Reduce::storage_type reduce;
    Difference::storage_type difference;
    Discontinuity::storage_type discontinuity;
  } s;
  const int t = threadIdx.x;
  int v[N], r[N], w[N], sum = 0, x = 0;
  Load().load(in, v, 500u, -7, s.load);
  if (t == 127) out[0] = v[3];
  Load().load(in, w, s.load);
  for (int i = 0; i < N; ++i) v[i] = 511 - w[i];
  __syncthreads();
  Scan().inclusive_scan(v, r, s.scan);
  __syncthreads();
  if (t == 127) out[1] = r[3];
  Scan().exclusive_scan(v, r, -189, sum, s.scan, rocprim::plus<int>());
  __syncthreads();
  if (t == 5) out[2] = r[0], out[3] = sum;
  Prefix prefix{100};
  Scan().inclusive_scan(v, r, s.scan, prefix, rocprim::plus<>());
  __syncthreads();
  if (t == 0) out[4] = r[0], out[5] = prefix.running;
  Sort().sort_desc(v, s.sort);
  __syncthreads();
  if (t == 0) out[6] = v[0];
  Sort().sort(v, s.sort, 0, 32);
  __syncthreads();
  if (t == 0) out[7] = v[0];
  unsigned keys[N];
  for (int i = 0; i < N; ++i) keys[i] = v[i] & 3, w[i] = v[i];
  SortPairs().sort_to_striped(keys, w, s.pairs, 0, 2);
  __syncthreads();
  if (t == 127) out[8] = keys[3], out[9] = w[0];
  Exchange().blocked_to_striped(v, r, s.exchange);
  __syncthreads();
  if (t == 1) out[10] = r[2];
  Exchange().blocked_to_warp_striped(v, r, s.exchange);
  __syncthreads();
  if (t == 1) out[11] = r[1] - v[0];
  Exchange().warp_striped_to_blocked(r, w, s.exchange);
  __syncthreads();
  if (t == 9) out[12] = w[2] == v[2];
  int ranks[N];
  for (int i = 0; i < N; ++i) ranks[i] = 511 - (t * N + i);
  Exchange().scatter_to_blocked(v, r, ranks, s.exchange);
  __syncthreads();
  if (t == 0) out[13] = r[0];
  Reduce().reduce(v, x, s.reduce, rocprim::maximum<int>());
  __syncthreads();
  if (t == 0) out[14] = x;
  Reduce().reduce(1, x, 100, s.reduce, rocprim::plus<int>());
  __syncthreads();
  if (t == 0) out[15] = x;
  Difference().subtract_left(v, r, [](int a, int b) { return a - b; }, s.difference);
  __syncthreads();
  if (t == 3) out[16] = r[0];
  unsigned flags[N];
  for (int i = 0; i < N; ++i) w[i] = (t * N + i) / 6;
  Discontinuity().flag_heads(flags, w, rocprim::not_equal_to<int>(), s.discontinuity);
  __syncthreads();
  if (t == 3) out[17] = flags[0], out[18] = flags[1];
  Discontinuity().flag_tails(flags, w, rocprim::not_equal_to<int>(), s.discontinuity);
  __syncthreads();
  if (t == 1) out[19] = flags[1], out[20] = flags[2];
  __shared__ WarpScan::storage_type scans[4];
  int before = 0;
  WarpScan().scan(1, x, before, 10, scans[t / 32]);
  if (t == 40) out[21] = x + 10, out[22] = before;
  __shared__ WarpReduce::storage_type reduces[8];
  WarpReduce().reduce(t, x, reduces[t / 16], rocprim::maximum<>());
  if (t == 32) out[23] = x;
  x = WarpScan().broadcast(t, 3, scans[t / 32]);
  if (t == 70) out[24] = x;
  rocprim::block_load_direct_striped<X>(t, in, v);
  if (t == 2) out[25] = 511 - v[1], out[26] = rocprim::warp_shuffle(t, 2) == 2;
}
