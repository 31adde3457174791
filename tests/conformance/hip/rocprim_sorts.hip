// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// rocPRIM's collectives of a block that move items: sorts, ranks by digits, shuffles, exchanges.
#include <hip/hip_runtime.h>
#include <rocprim/rocprim.hpp>

constexpr int threads = 48, items = 3, count = threads * items;

/// Of keys that are often equal: the places in the input, which only stable sorts order, both ways and of a part.
__global__ void sorts(const int* in, int* keys, unsigned short* places, int* singles, unsigned short* singlePlaces) {
  using Pairs =
      rocprim::block_sort<int, 16, items, unsigned short, rocprim::block_sort_algorithm::stable_merge_sort, 3>;
  using Keys = rocprim::block_sort<int, threads, items>;
  using Single = rocprim::block_sort<int, threads, 1, unsigned short, rocprim::block_sort_algorithm::stable_merge_sort>;
  __shared__ union {
    Pairs::storage_type pairs;
    Keys::storage_type keys;
    Single::storage_type single;
  } storage;
  const int thread = static_cast<int>(threadIdx.x);
  int own[items], one = 0;
  unsigned short place[items], onePlace = 0;
  const auto load = [&] {
    __syncthreads();
    for (int i = 0; i < items; ++i) {
      own[i] = in[thread * items + i];
      place[i] = static_cast<unsigned short>(thread * items + i);
    }
    one = in[thread];
    onePlace = static_cast<unsigned short>(thread);
  };
  const auto store = [&](int row) {
    for (int i = 0; i < items; ++i) {
      keys[row * count + thread * items + i] = own[i];
      places[row * count + thread * items + i] = place[i];
    }
  };
  const auto storeOne = [&](int row) {
    singles[row * threads + thread] = one;
    singlePlaces[row * threads + thread] = onePlace;
  };
  load();
  Pairs().sort(own, place, storage.pairs);
  store(0);
  load();
  Pairs().sort(own, place, rocprim::greater<int>());
  store(1);
  load();
  Pairs().sort(own, place, storage.pairs, 101u);
  store(2);
  load();
  Pairs().sort(own, place, storage.pairs, 2u, rocprim::greater<>());
  store(3);
  load();
  Keys().sort(own);
  store(4);
  load();
  Keys().sort(own, storage.keys, 143u, [](int a, int b) { return b < a; });
  store(5);
  load();
  Single().sort(one, onePlace);
  storeOne(0);
  load();
  Single().sort(one, onePlace, storage.single, rocprim::greater<int>());
  storeOne(1);
  load();
  Single().sort(one, onePlace, storage.single, 33u);
  storeOne(2);
  load();
  Single().sort(one, storage.single);
  storeOne(3);
}

/// The highest and a middle digit of signed keys; a digit by a functor, with the numbers in front and those of each
/// digit.
__global__ void ranks(const int* in, unsigned* out, unsigned* prefixes, unsigned* counts) {
  using Rank = rocprim::block_radix_rank<threads, 4>;
  __shared__ Rank::storage_type storage;
  int own[items];
  unsigned rank[items], prefix[Rank::digits_per_thread], number[Rank::digits_per_thread];
  for (int i = 0; i < items; ++i) own[i] = in[threadIdx.x * items + i];
  const auto store = [&](int row) {
    for (int i = 0; i < items; ++i) out[row * count + threadIdx.x * items + i] = rank[i];
    __syncthreads();
  };
  Rank().rank_keys(own, rank, storage, 28);
  store(0);
  Rank().rank_keys_desc(own, rank, 28, 4);
  store(1);
  Rank().rank_keys(own, rank, 5, 3);
  store(2);
  Rank().rank_keys_desc(own, rank, storage, [](int key) { return static_cast<unsigned>(key) % 11; });
  store(3);
  Rank().rank_keys(own, rank, storage, [](int key) { return static_cast<unsigned>(key) % 11; }, prefix, number);
  store(4);
  for (unsigned i = 0; i < Rank::digits_per_thread; ++i) {
    const unsigned digit = threadIdx.x * Rank::digits_per_thread + i;
    if (digit < 16) prefixes[digit] = prefix[i], counts[digit] = number[i];
  }
}

/// Items a warp apart, in whole warps; fewer threads than digits.
__global__ void matches(const float* in, unsigned* out, unsigned* prefixes, unsigned* counts) {
  using Rank = rocprim::block_radix_rank<128, 8, rocprim::block_radix_rank_algorithm::match>;
  __shared__ Rank::storage_type storage;
  float own[items];
  unsigned rank[items], prefix[Rank::digits_per_thread], number[Rank::digits_per_thread];
  rocprim::block_load_direct_warp_striped(threadIdx.x, in, own);
  const auto store = [&](int row) {
    rocprim::block_store_direct_warp_striped(threadIdx.x, out + row * 128 * items, rank);
    __syncthreads();
  };
  Rank().rank_keys(own, rank, storage, 24);
  store(0);
  Rank().rank_keys_desc(own, rank, 24);
  store(1);
  Rank().rank_keys(
      own, rank, storage, [](float key) { return static_cast<unsigned>(static_cast<int>(key)) & 255; }, prefix, number);
  store(2);
  for (unsigned i = 0; i < Rank::digits_per_thread; ++i) {
    prefixes[threadIdx.x * Rank::digits_per_thread + i] = prefix[i];
    counts[threadIdx.x * Rank::digits_per_thread + i] = number[i];
  }
}

/// Where there is no neighbour a thread keeps what it has.
__global__ void shuffles(const int* in, int* out, int* several, int* edges) {
  using Shuffle = rocprim::block_shuffle<int, 8, 6>;
  __shared__ Shuffle::storage_type storage;
  const int thread = static_cast<int>(threadIdx.y * 8 + threadIdx.x);
  int own[items], result[items], edge = 0;
  for (int i = 0; i < items; ++i) own[i] = in[thread * items + i];
  const auto store = [&](int row) {
    out[row * threads + thread] = result[0];
    __syncthreads();
  };
  const auto storeAll = [&](int row) {
    for (int i = 0; i < items; ++i) several[row * count + thread * items + i] = result[i];
    if (thread == 17) edges[row] = edge;
    __syncthreads();
  };
  result[0] = -1;
  Shuffle().offset(own[0], result[0]);
  store(0);
  Shuffle().offset(own[0], result[0], -5);
  store(1);
  Shuffle().offset(static_cast<size_t>(thread), own[1], result[0], 47, storage);
  store(2);
  Shuffle().rotate(own[0], result[0]);
  store(3);
  Shuffle().rotate(own[0], result[0], -47);
  store(4);
  Shuffle().rotate(static_cast<size_t>(thread), own[2], result[0], 13, storage);
  store(5);
  for (int i = 0; i < items; ++i) result[i] = own[i];
  Shuffle().up(own, result);
  storeAll(0);
  Shuffle().up(result, result, edge);
  storeAll(1);
  Shuffle().down<items>(own, result);
  storeAll(2);
  Shuffle().down(static_cast<size_t>(thread), result, result, edge, storage);
  storeAll(3);
}

__global__ void exchanges(const int* in, int* out, unsigned* sorted) {
  using Exchange = rocprim::block_exchange<int, threads, items>;
  __shared__ Exchange::storage_type storage;
  const int thread = static_cast<int>(threadIdx.x);
  int own[items], result[items], ranks[items];
  bool valid[items];
  for (int i = 0; i < items; ++i) {
    own[i] = in[thread * items + i];
    ranks[i] = ((thread * items + i) * 7 + 3) % count;
    valid[i] = (thread * items + i) % 3 != 0;
  }
  Exchange().gather_from_striped(own, result, ranks, storage);
  for (int i = 0; i < items; ++i) out[thread * items + i] = result[i];
  __syncthreads();
  Exchange().gather_from_striped(own, result, ranks);
  for (int i = 0; i < items; ++i) out[count + thread * items + i] = result[i];
  // 103 is 7's inverse: places whose item is not valid are left out.
  Exchange().scatter_to_striped_flagged(own, result, ranks, valid, storage);
  for (int i = 0; i < items; ++i) {
    const int place = thread + i * threads;
    if ((place + count - 3) * 103 % count % 3 != 0) out[2 * count + place] = result[i];
  }
  using Sort = rocprim::block_radix_sort<unsigned, threads, items, rocprim::empty_type, 1, 1, 6>;
  unsigned keys[items];
  for (int i = 0; i < items; ++i) keys[i] = static_cast<unsigned>(own[i]);
  Sort().sort_desc_to_striped(keys);
  for (int i = 0; i < items; ++i) sorted[thread + i * threads] = keys[i];
}
