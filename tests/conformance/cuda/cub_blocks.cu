// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUB's collectives of a block of 40 threads, whose last warp is not full: reductions and scans with an operator that
// is not commutative, with initial values and with prefixes from a callback; histograms; runs that are decoded.
#include <cub/cub.cuh>

struct Map {
  unsigned factor, summand;
};
struct Compose {
  __device__ Map operator()(const Map& f, const Map& g) const {
    return {f.factor * g.factor, f.summand * g.factor + g.summand};
  }
};
/// The map of the blocks before, which each block composes with its own.
struct Running {
  Map before;
  __device__ Map operator()(const Map& block) {
    const Map old = before;
    before = Compose()(before, block);
    return old;
  }
};

constexpr int threads = 40, items = 3;

__device__ Map mapOf(unsigned x) {
  return {2 * x + 1, x + 5};
}

__global__ void scans(const unsigned* in, Map* reduced, Map* inclusive, Map* exclusive, Map* running) {
  using Reduce = cub::BlockReduce<Map, threads>;
  using Scan = cub::BlockScan<Map, threads>;
  __shared__ typename Reduce::TempStorage reduce;
  __shared__ typename Scan::TempStorage scan;
  const int first = threadIdx.x * items;
  Map own[items], out[items], all;
  for (int i = 0; i < items; ++i) own[i] = mapOf(in[first + i]);
  Map result = Reduce(reduce).Reduce(own, Compose());
  if (threadIdx.x == 0) reduced[0] = result;
  __syncthreads();
  result = Reduce(reduce).Reduce(own[0], Compose(), 35);
  if (threadIdx.x == 0) reduced[1] = result;
  Scan(scan).InclusiveScan(own, out, Map{3, 7}, Compose(), all);
  for (int i = 0; i < items; ++i) inclusive[first + i] = out[i];
  if (threadIdx.x == threads - 1) reduced[2] = all;
  __syncthreads();
  Scan(scan).ExclusiveScan(own[0], result, Compose());
  if (threadIdx.x > 0) exclusive[threadIdx.x] = result;
  Running prefix{{3, 7}};
  for (int round = 0; round < 2; ++round) {
    __syncthreads();
    Scan(scan).ExclusiveScan(own, out, Compose(), prefix);
    for (int i = 0; i < items; ++i) running[round * threads * items + first + i] = out[i];
  }
}

__global__ void histogram(const unsigned* in, unsigned* sorted, unsigned* atomic) {
  using Sorted = cub::BlockHistogram<unsigned, threads, items, 21>;
  using Atomic = cub::BlockHistogram<unsigned, threads, items, 21, cub::BLOCK_HISTO_ATOMIC>;
  __shared__ typename Sorted::TempStorage first;
  __shared__ typename Atomic::TempStorage second;
  __shared__ unsigned counts[21], more[21];
  unsigned bins[items];
  for (int i = 0; i < items; ++i) bins[i] = in[threadIdx.x * items + i] % 21;
  Sorted(first).Histogram(bins, counts);
  Atomic(second).InitHistogram(more);
  __syncthreads();
  Atomic(second).Composite(bins, more);
  __syncthreads();
  Atomic(second).Composite(bins, more);
  __syncthreads();
  if (threadIdx.x < 21) {
    sorted[threadIdx.x] = counts[threadIdx.x];
    atomic[threadIdx.x] = more[threadIdx.x];
  }
}

__global__ void runs(const unsigned* in, unsigned* values, unsigned* places, unsigned* total) {
  using Decode = cub::BlockRunLengthDecode<unsigned, threads, items, 2>;
  __shared__ typename Decode::TempStorage storage;
  unsigned value[items], length[items], all = 0, out[2], place[2];
  for (int i = 0; i < items; ++i) {
    value[i] = in[threadIdx.x * items + i];
    length[i] = 1 + value[i] % 4;  // of empty runs CUB says nothing
  }
  Decode decode(storage, value, length, all);
  for (unsigned from = 0; from < all; from += 2 * threads) {
    decode.RunLengthDecode(out, place, from);
    for (unsigned i = 0; i < 2; ++i) {
      const unsigned at = from + 2 * threadIdx.x + i;
      if (at < all) {
        values[at] = out[i];
        places[at] = place[i];
      }
    }
  }
  if (threadIdx.x == 0) *total = all;
}
