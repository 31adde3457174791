// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUB's collectives of logical warps of 32, 8 and 20 threads: reductions, also by segments, and scans. The operator,
// composition of affine maps, is not commutative.
#include <cub/cub.cuh>

struct Map {
  unsigned factor, summand;
};
struct Compose {
  __device__ Map operator()(const Map& f, const Map& g) const {
    return {f.factor * g.factor, f.summand * g.factor + g.summand};
  }
};

/// Row by row, a number or a map of each thread.
struct Rows {
  unsigned* out;
  int row = 0;
  __device__ void put(unsigned number, bool valid = true) {
    if (valid) out[row * 64 + threadIdx.x] = number;
    ++row;
  }
  __device__ void put(const Map& map, bool valid = true) {
    put(map.factor, valid);
    put(map.summand, valid);
  }
};

template <int Width>
__device__ void ofWidth(const unsigned* in, unsigned* out) {
  const int thread = threadIdx.x, lane = thread % 32 % Width, warp = thread / 32 * (32 / Width) + thread % 32 / Width;
  // Of a width that is no power of two CUB has one logical warp in a warp.
  if ((Width & (Width - 1)) != 0 && thread % 32 >= Width) return;
  const Map map = {in[thread] * 2 + 1, in[thread] + 5}, first = {3, 7};
  const bool flag = in[thread] % 4 == 0, isFirst = lane == 0;
  const bool behindFlag = isFirst || in[thread - 1] % 4 == 0;
  using Reduce = cub::WarpReduce<Map, Width>;
  using Numbers = cub::WarpReduce<unsigned, Width>;
  using Scan = cub::WarpScan<Map, Width>;
  __shared__ typename Reduce::TempStorage reduce[8];
  __shared__ typename Numbers::TempStorage numbers[8];
  __shared__ typename Scan::TempStorage scans[8];
  Rows rows{out};
  rows.put(Reduce(reduce[warp]).Reduce(map, Compose()), isFirst);
  rows.put(Reduce(reduce[warp]).Reduce(map, Compose(), Width / 2 + 1), isFirst);
  rows.put(Reduce(reduce[warp]).HeadSegmentedReduce(map, flag, Compose()), flag || isFirst);
  rows.put(Reduce(reduce[warp]).TailSegmentedReduce(map, flag, Compose()), behindFlag);
  rows.put(Numbers(numbers[warp]).Sum(in[thread]), isFirst);
  rows.put(Numbers(numbers[warp]).HeadSegmentedSum(in[thread], flag), flag || isFirst);
  Map inclusive, exclusive, all;
  Scan scan(scans[warp]);
  scan.InclusiveScan(map, inclusive, Compose(), all);
  rows.put(inclusive);
  rows.put(all);
  scan.ExclusiveScan(map, exclusive, first, Compose());
  rows.put(exclusive);
  scan.ExclusiveScan(map, exclusive, Compose());
  rows.put(exclusive, !isFirst);
  scan.Scan(map, inclusive, exclusive, first, Compose());
  rows.put(inclusive);
  rows.put(exclusive);
  rows.put(scan.Broadcast(map, 3));
}

__global__ void whole(const unsigned* in, unsigned* out) {
  ofWidth<32>(in, out);
}
__global__ void eighths(const unsigned* in, unsigned* out) {
  ofWidth<8>(in, out);
}
__global__ void twenties(const unsigned* in, unsigned* out) {
  ofWidth<20>(in, out);
}
