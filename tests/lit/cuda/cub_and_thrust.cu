// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUB's collectives, which kernels use, and Thrust's containers, which host code does, with nothing installed. A block of
// 96 items, so that the last warp's are not those of a power of two.
// REQUIRES: libcxx
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx 2>&1 | FileCheck %s --check-prefix=QUIET --allow-empty
// RUN: %if ptxas %{ %ptxas -arch=sm_80 %t.ptx -o %t.cubin %}
// RUN: %lathe run %s -t cpu -k 'collectives<96>' --grid 1 --group 96 --arg 'zeros:i32[12]' --print 0:12 | FileCheck %s --check-prefix=VALUES
// RUN: %lathe run %s -t cpu -k sorts --grid 1 --group 40 --arg 'zeros:i32[8]' --print 0:8 | FileCheck %s --check-prefix=SORTS
// QUIET-NOT: error
// VALUES: 4560 4465 95 4465 4560 4371 1007 95 496 93 32 7
// SORTS: 1 -20 19 20 -19 3 80 1
#include <cub/block/block_reduce.cuh>
#include <cub/cub.cuh>
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/sort.h>

template <int Threads>
__global__ void collectives(int* out) {
  using Reduce = cub::BlockReduce<int, Threads>;
  using Scan = cub::BlockScan<int, Threads>;
  using Best = cub::BlockReduce<cub::KeyValuePair<int, float>, Threads>;
  __shared__ union {
    typename Reduce::TempStorage reduce;
    typename Scan::TempStorage scan;
    typename Best::TempStorage best;
  } storage;
  const int i = threadIdx.x;
  const int sum = Reduce(storage.reduce).Sum(i);
  __syncthreads();
  int before, all;
  Scan(storage.scan).ExclusiveSum(i, before, all);
  __syncthreads();
  const int most = Reduce(storage.reduce).Reduce(i, cub::Max());
  __syncthreads();
  int after;
  Scan(storage.scan).InclusiveSum(i, after);
  __syncthreads();
  const int first94 = Reduce(storage.reduce).Sum(i, 94);
  __syncthreads();
  int highest;
  Scan(storage.scan).ExclusiveScan(i == 5 ? 1007 : i, highest, -1, cub::Max());
  __syncthreads();
  const auto best = Best(storage.best).Reduce({i, i * 0.5f}, cub::ArgMax());
  __shared__ typename cub::WarpReduce<int>::TempStorage warps[Threads / 32];
  const int warpSum = cub::WarpReduce<int>(warps[i / 32]).Sum(i);
  __shared__ typename cub::WarpScan<int>::TempStorage scans[Threads / 32];
  int warpBefore;
  cub::WarpScan<int>(scans[i / 32]).ExclusiveSum(3, warpBefore);
  if (i == 0) {
    out[0] = sum;
    out[2] = most;
    out[5] = first94;
    out[7] = best.key;
    out[8] = warpSum;
    out[4] = all;
  }
  if (i == Threads - 1) {
    out[1] = before;
    out[3] = after - i;
    out[6] = highest;
    out[9] = warpBefore;
    out[10] = cub::LaneId() + 1;
    out[11] = thrust::plus<int>()(3, 4);
  }
}

__global__ void sorts(int* out) {
  using Sort = cub::BlockRadixSort<int, 40, 2, unsigned>;
  using Load = cub::BlockLoad<int, 40, 2, cub::BLOCK_LOAD_TRANSPOSE>;
  using Exchange = cub::BlockExchange<int, 40, 2>;
  __shared__ Sort::TempStorage sort;
  __shared__ Exchange::TempStorage exchange;
  __shared__ int numbers[80];
  for (int i = threadIdx.x; i < 80; i += 40) numbers[i] = (i * 37 + 11) % 80 % 40 - 20;
  __syncthreads();
  int mine[2];
  unsigned places[2] = {2 * threadIdx.x, 2 * threadIdx.x + 1};
  Load().Load(numbers, mine);
  Sort(sort).Sort(mine, places);
  int right = 1;
  if (threadIdx.x > 0) right = mine[0] == mine[1];  // each number is there twice, in the order of its places
  const int inOrder = __syncthreads_and(right && places[0] < places[1]);
  if (threadIdx.x == 0) out[0] = inOrder;
  if (threadIdx.x == 0) out[1] = mine[0];
  if (threadIdx.x == 39) out[2] = mine[1];
  int swapped[2] = {static_cast<int>(2 * threadIdx.x), static_cast<int>(2 * threadIdx.x + 1)};
  Exchange(exchange).BlockedToStriped(swapped);
  if (threadIdx.x == 20) out[3] = swapped[0];
  __syncthreads();
  Sort(sort).SortDescendingBlockedToStriped(mine, places);
  if (threadIdx.x == 39) out[4] = mine[1] + 1;
  int edge[2];
  __shared__ cub::BlockAdjacentDifference<int, 40>::TempStorage differences;
  int squares[2] = {static_cast<int>(threadIdx.x * threadIdx.x), 0};
  squares[1] = squares[0] + 1;
  cub::BlockAdjacentDifference<int, 40>(differences).SubtractLeft(squares, edge, cub::Difference());
  if (threadIdx.x == 2) out[5] = edge[0] + 1;
  if (threadIdx.x == 39) out[6] = static_cast<int>(threadIdx.x) * 2 + 2;
  if (threadIdx.x == 0) out[7] = edge[1];
}

void ascending(thrust::device_vector<int>& values) {
  thrust::sort(values.begin(), values.end(), thrust::less<int>());
}

int main() {
  thrust::host_vector<int> values(12);
  thrust::device_vector<int> device = values;
  collectives<96><<<1, 96>>>(thrust::raw_pointer_cast(device.data()));
  ascending(device);
  values = device;
}
