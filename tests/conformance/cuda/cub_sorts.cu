// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUB's sorts of a block and of a warp: by bits, both zeros of floating-point numbers one key, and by comparisons. All
// are stable, so that the values, which are places in the input, have one right order.
#include <cub/cub.cuh>

struct Less {
  template <class T>
  __device__ bool operator()(const T& a, const T& b) const {
    return a < b;
  }
};

constexpr int threads = 48, items = 3;

template <class K>
__device__ void byBits(const K* in, unsigned short* up, unsigned short* down, unsigned short* middle) {
  using Sort = cub::BlockRadixSort<K, threads, items, unsigned short>;
  __shared__ typename Sort::TempStorage storage;
  K keys[items];
  unsigned short values[items];
  const auto load = [&] {
    __syncthreads();
    for (int i = 0; i < items; ++i) {
      const int at = threadIdx.x * items + i;
      keys[i] = in[at];
      values[i] = static_cast<unsigned short>(at);
    }
  };
  load();
  Sort(storage).Sort(keys, values);
  for (int i = 0; i < items; ++i) up[threadIdx.x * items + i] = values[i];
  load();
  Sort(storage).SortDescendingBlockedToStriped(keys, values);
  for (int i = 0; i < items; ++i) down[threadIdx.x + i * threads] = values[i];
  load();
  Sort(storage).Sort(keys, values, 2, 7);
  for (int i = 0; i < items; ++i) middle[threadIdx.x * items + i] = values[i];
}
__global__ void floats(const float* in, unsigned short* up, unsigned short* down, unsigned short* middle) {
  byBits(in, up, down, middle);
}
__global__ void bytes(const signed char* in, unsigned short* up, unsigned short* down, unsigned short* middle) {
  byBits(in, up, down, middle);
}

__global__ void merges(const int* in, int* keys, unsigned short* values, int* partial, int* ofWarps) {
  using Sort = cub::BlockMergeSort<int, 64, items, unsigned short>;
  using Keys = cub::BlockMergeSort<int, 64, items>;
  using Warp = cub::WarpMergeSort<int, items, 16>;
  __shared__ typename Sort::TempStorage sort;
  __shared__ typename Keys::TempStorage sortKeys;
  __shared__ typename Warp::TempStorage warps[4];
  const int first = threadIdx.x * items;
  int own[items], again[items], third[items];
  unsigned short places[items];
  for (int i = 0; i < items; ++i) {
    third[i] = again[i] = own[i] = in[first + i];
    places[i] = static_cast<unsigned short>(first + i);
  }
  Sort(sort).StableSort(own, places, Less());
  Keys(sortKeys).Sort(again, Less(), 100, 1 << 20);
  Warp(warps[threadIdx.x / 16]).Sort(third, Less());
  for (int i = 0; i < items; ++i) {
    keys[first + i] = own[i];
    values[first + i] = places[i];
    if (first + i < 100) partial[first + i] = again[i];
    ofWarps[first + i] = third[i];
  }
}

__global__ void ranks(const unsigned* in, int* up, int* down, int* prefixes) {
  using Up = cub::BlockRadixRank<threads, 3, false>;
  using Down = cub::BlockRadixRank<threads, 3, true>;
  __shared__ typename Up::TempStorage first;
  __shared__ typename Down::TempStorage second;
  unsigned keys[items];
  int places[items], prefix[Down::BINS_TRACKED_PER_THREAD];
  for (int i = 0; i < items; ++i) keys[i] = in[threadIdx.x * items + i];
  const cub::BFEDigitExtractor<unsigned> digit(4, 3);
  Up(first).RankKeys(keys, places, digit);
  for (int i = 0; i < items; ++i) up[threadIdx.x * items + i] = places[i];
  Down(second).RankKeys(keys, places, digit, prefix);
  for (int i = 0; i < items; ++i) down[threadIdx.x * items + i] = places[i];
  if (threadIdx.x < 8) prefixes[threadIdx.x] = prefix[0];
}
