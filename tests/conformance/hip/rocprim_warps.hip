// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// rocPRIM's collectives of logical warps: exchanges, loads and stores, sorts, reductions and scans by an operator that
// does not commute.
#include <hip/hip_runtime.h>
#include <rocprim/rocprim.hpp>

constexpr int threads = 64, items = 4, count = threads * items;

__global__ void exchanges(const int* in, int* out) {
  using Exchange = rocprim::warp_exchange<int, items, 16>;
  using Narrow = rocprim::warp_exchange<int, items, 4>;
  __shared__ Exchange::storage_type storage[threads / 16];
  auto& own = storage[threadIdx.x / 16];
  const int thread = static_cast<int>(threadIdx.x);
  int values[items], result[items], ranks[items];
  for (int i = 0; i < items; ++i) {
    values[i] = in[thread * items + i];
    ranks[i] = (thread % 16 * items + i) * 5 % 64;
  }
  const auto store = [&](int row) {
    for (int i = 0; i < items; ++i) out[row * count + thread * items + i] = result[i];
    __syncthreads();
  };
  Exchange().blocked_to_striped(values, result, own);
  store(0);
  Exchange().striped_to_blocked(values, result, own);
  store(1);
  Exchange().scatter_to_striped(values, result, ranks, own);
  store(2);
  Exchange().blocked_to_striped_shuffle(values, result);
  store(3);
  Exchange().striped_to_blocked_shuffle(values, result);
  store(4);
  Narrow().blocked_to_striped_shuffle(values, values);
  for (int i = 0; i < items; ++i) result[i] = values[i];
  store(5);
}

template <rocprim::warp_load_method Load, rocprim::warp_store_method Store>
__device__ void moved(const int* in, int* out, int* other, int* part) {
  using Loads = rocprim::warp_load<int, items, 32, Load>;
  using Stores = rocprim::warp_store<int, items, 32, Store>;
  __shared__ typename Loads::storage_type loads[2];
  __shared__ typename Stores::storage_type stores[2];
  const int warp = static_cast<int>(threadIdx.x / 32);
  in += warp * 128;
  out += warp * 128;
  other += warp * 128;
  part += warp * 128;
  int values[items];
  Loads().load(in, values, loads[warp]);
  for (int i = 0; i < items; ++i) values[i] = 2 * values[i] + i;
  Stores().store(out, values, stores[warp]);
  __syncthreads();
  Loads().load(in, values, 61u + static_cast<unsigned>(warp), -9, loads[warp]);
  Stores().store(other, values, stores[warp]);
  __syncthreads();
  for (int& value : values) value = 77;
  Loads().load(in, values, 50u, loads[warp]);
  for (int& value : values) value += 1;
  Stores().store(part, values, 50u, stores[warp]);
}
__global__ void direct(const int* in, int* out, int* other, int* part) {
  moved<rocprim::warp_load_method::warp_load_direct, rocprim::warp_store_method::warp_store_vectorize>(in, out, other,
                                                                                                       part);
}
__global__ void striped(const int* in, int* out, int* other, int* part) {
  moved<rocprim::warp_load_method::warp_load_striped, rocprim::warp_store_method::warp_store_striped>(in, out, other,
                                                                                                      part);
}
__global__ void transposed(const int* in, int* out, int* other, int* part) {
  moved<rocprim::warp_load_method::warp_load_transpose, rocprim::warp_store_method::warp_store_transpose>(in, out,
                                                                                                          other, part);
}

/// Different keys, so that values have one order; then keys that are often equal, in stable order.
__global__ void sorts(const int* in, int* keys, unsigned short* places, int* singles, int* stable,
                      unsigned short* stablePlaces) {
  using Sort = rocprim::warp_sort<int, 16, unsigned short>;
  using Whole = rocprim::warp_sort<int>;
  using Stable = rocprim::warp_sort_stable<int, threads, 16, items, unsigned short>;
  __shared__ Whole::storage_type whole;
  __shared__ Stable::storage_type storage;
  const int thread = static_cast<int>(threadIdx.x);
  int own[items], one = 0;
  unsigned short place[items], onePlace = 0;
  const auto load = [&](int modulus) {
    __syncthreads();
    for (int i = 0; i < items; ++i) {
      own[i] = in[thread * items + i] % modulus;
      place[i] = static_cast<unsigned short>(thread * items + i);
    }
    one = in[thread];
    onePlace = static_cast<unsigned short>(thread);
  };
  const auto store = [&](int* to, unsigned short* placesTo, int row) {
    for (int i = 0; i < items; ++i) {
      to[row * count + thread * items + i] = own[i];
      placesTo[row * count + thread * items + i] = place[i];
    }
  };
  load(1 << 20);
  Sort().sort(own, place);
  store(keys, places, 0);
  load(1 << 20);
  Sort().sort(own, place, rocprim::greater<int>());
  store(keys, places, 1);
  load(7);
  Sort().sort(own);
  store(keys, places, 2);
  load(1 << 20);
  Sort().sort(one, onePlace);
  singles[thread] = one;
  singles[threads + thread] = onePlace;
  load(1 << 20);
  Whole().sort(one, whole, rocprim::greater<>());
  singles[2 * threads + thread] = one;
  load(9);
  Stable().sort(own, place, storage);
  store(stable, stablePlaces, 0);
  load(9);
  Stable().sort(own, place, rocprim::greater<int>());
  store(stable, stablePlaces, 1);
  load(9);
  Stable().sort(own, place, storage, 39u + threadIdx.x / 16);
  store(stable, stablePlaces, 2);
}

/// x → a x + b, modulo 2³²; joined by applying the second to what the first gives.
struct Affine {
  unsigned a, b;
};
struct Then {
  __device__ Affine operator()(const Affine& f, const Affine& g) const { return {f.a * g.a, f.b * g.a + g.b}; }
};
__device__ void put(unsigned* out, unsigned at, const Affine& f) {
  out[2 * at] = f.a;
  out[2 * at + 1] = f.b;
}

__global__ void reduces(const unsigned* in, const unsigned char* flags, unsigned* out) {
  using Reduce = rocprim::warp_reduce<Affine, 16>;
  using All = rocprim::warp_reduce<Affine, 16, true>;
  __shared__ Reduce::storage_type storage[threads / 16];
  __shared__ All::storage_type all[threads / 16];
  const unsigned thread = threadIdx.x, warp = thread / 16, lane = thread % 16;
  const Affine own = {in[2 * thread], in[2 * thread + 1]};
  Affine result = {};
  Reduce().reduce(own, result, storage[warp], Then());
  if (lane == 0) put(out, thread, result);
  Reduce().reduce(own, result, static_cast<int>(3 * warp + 2), storage[warp], Then());
  if (lane == 0) put(out, threads + thread, result);
  All().reduce(own, result, all[warp], Then());
  put(out, 2 * threads + thread, result);
  All().reduce(own, result, 9, all[warp], Then());
  put(out, 3 * threads + thread, result);
  Reduce().head_segmented_reduce(own, result, flags[thread], storage[warp], Then());
  if (lane == 0 || flags[thread]) put(out, 4 * threads + thread, result);
  Reduce().tail_segmented_reduce(own, result, flags[thread], storage[warp], Then());
  if (lane == 0 || flags[thread - 1]) put(out, 5 * threads + thread, result);
  int sum = 0;
  rocprim::warp_reduce<int> sums;
  __shared__ rocprim::warp_reduce<int>::storage_type whole;
  sums.reduce(static_cast<int>(own.b & 255), sum, whole);
  if (thread % rocprim::device_warp_size() == 0) put(out, 6 * threads + thread, {static_cast<unsigned>(sum), 1});
}

__global__ void scans(const unsigned* in, unsigned* out, unsigned* sums) {
  using Scan = rocprim::warp_scan<Affine, 32>;
  __shared__ Scan::storage_type storage[threads / 32];
  const unsigned thread = threadIdx.x;
  auto& own = storage[thread / 32];
  const Affine value = {in[2 * thread], in[2 * thread + 1]}, first = {3, 7};
  Affine result = {}, other = {}, sum = {};
  const auto store = [&](unsigned row) {
    put(out, row * threads + thread, result);
    put(sums, row * threads + thread, sum);
  };
  Scan().inclusive_scan(value, result, own, Then());
  store(0);
  Scan().inclusive_scan(value, result, sum, own, Then());
  store(1);
  Scan().inclusive_scan(value, result, own, first, Then());
  store(2);
  Scan().inclusive_scan(value, result, sum, own, first, Then());
  store(3);
  Scan().exclusive_scan(value, result, first, own, Then());
  store(4);
  Scan().exclusive_scan(value, result, first, sum, own, Then());
  store(5);
  Scan().exclusive_scan(value, result, own, Then());
  if (thread % 32 == 0) result = first;
  store(6);
  Scan().exclusive_scan(value, result, own, sum, Then());
  if (thread % 32 == 0) result = first;
  store(7);
  Scan().scan(value, result, other, first, own, Then());
  store(8);
  put(out, 9 * threads + thread, other);
  Scan().scan(value, result, other, first, sum, own, Then());
  store(10);
  result = Scan().broadcast(value, 5 + thread / 32, own);
  sum = other;
  store(11);
}
