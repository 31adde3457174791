// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// rocPRIM's collectives of a block that compute: scans and reductions of a block of three dimensions by an operator
// that does not commute, differences and flags of neighbours, histograms, runs.
#include <hip/hip_runtime.h>
#include <rocprim/rocprim.hpp>

/// x → a x + b, modulo 2³²; joined by applying the second to what the first gives.
struct Affine {
  unsigned a, b;
};
struct Then {
  __device__ Affine operator()(const Affine& f, const Affine& g) const { return {f.a * g.a, f.b * g.a + g.b}; }
};
struct Prefix {
  Affine running;
  __device__ Affine operator()(const Affine& block) {
    const Affine before = running;
    running = Then()(running, block);
    return before;
  }
};
__device__ void put(unsigned* out, int at, const Affine& f) {
  out[2 * at] = f.a;
  out[2 * at + 1] = f.b;
}

/// A block of 4 by 5 by 4 threads with three items each.
__global__ void scans(const unsigned* in, unsigned* out, unsigned* single) {
  constexpr int items = 3, all = 80 * items;
  using Scan = rocprim::block_scan<Affine, 4, rocprim::block_scan_algorithm::reduce_then_scan, 5, 4>;
  using Reduce = rocprim::block_reduce<Affine, 4, rocprim::block_reduce_algorithm::raking_reduce, 5, 4>;
  __shared__ Scan::storage_type scan;
  __shared__ Reduce::storage_type reduce;
  const int thread = static_cast<int>(rocprim::flat_block_thread_id<4, 5, 4>());
  Affine own[items], result[items], sum = {}, first = {3, 7};
  for (int i = 0; i < items; ++i) own[i] = {in[2 * (thread * items + i)], in[2 * (thread * items + i) + 1]};
  const auto store = [&](int row) {
    for (int i = 0; i < items; ++i) put(out, row * all + thread * items + i, result[i]);
    __syncthreads();
  };
  Scan().inclusive_scan(own, result, sum, scan, Then());
  store(0);
  if (thread == 11) put(single, 0, sum);
  Scan().exclusive_scan(own, result, first, scan, Then());
  store(1);
  Prefix prefix = {first};
  Scan().inclusive_scan(own, result, scan, prefix, Then());
  store(2);
  if (thread == 0) put(single, 1, prefix.running);
  Scan().exclusive_scan(own, result, first, sum, Then());
  store(3);
  Scan().exclusive_scan(own[1], result[0], first, sum, scan, Then());
  put(out, 4 * all + thread, result[0]);
  if (thread == 79) put(single, 2, sum);
  Reduce().reduce(own, sum, reduce, Then());
  if (thread == 0) put(single, 3, sum);
  __syncthreads();
  Reduce().reduce(own[2], sum, 33u, reduce, Then());
  if (thread == 0) put(single, 4, sum);
  Reduce().reduce(own[0], sum, 1u, Then());
  if (thread == 0) put(single, 5, sum);
}

constexpr int threads = 48, items = 3, count = threads * items;

__global__ void differences(const int* in, int* out) {
  using Difference = rocprim::block_adjacent_difference<int, threads>;
  __shared__ Difference::storage_type storage;
  const auto op = [](int item, int neighbour) { return 3 * item - neighbour; };
  int own[items], result[items];
  for (int i = 0; i < items; ++i) own[i] = in[threadIdx.x * items + i];
  const auto store = [&](int row) {
    for (int i = 0; i < items; ++i) out[row * count + threadIdx.x * items + i] = result[i];
    __syncthreads();
  };
  Difference().subtract_left(own, result, op, storage);
  store(0);
  Difference().subtract_left(own, result, op, 1000, storage);
  store(1);
  Difference().subtract_left_partial(own, result, op, 100u, storage);
  store(2);
  Difference().subtract_left_partial(own, result, op, 1000, 100u, storage);
  store(3);
  Difference().subtract_right(own, result, op, storage);
  store(4);
  Difference().subtract_right(own, result, op, 1000, storage);
  store(5);
  Difference().subtract_right_partial(own, result, op, 100u, storage);
  store(6);
}

__global__ void flags(const int* in, unsigned char* heads, unsigned char* tails) {
  using Flags = rocprim::block_discontinuity<int, threads>;
  __shared__ Flags::storage_type storage;
  const auto differ = [](int a, int b) { return a != b; };
  const auto placed = [](int a, int b, unsigned place) { return a != b || place % 7 == 0; };
  int own[items];
  unsigned char head[items], tail[items];
  for (int i = 0; i < items; ++i) own[i] = in[threadIdx.x * items + i];
  const auto store = [&](int row) {
    for (int i = 0; i < items; ++i) {
      heads[row * count + threadIdx.x * items + i] = head[i];
      tails[row * count + threadIdx.x * items + i] = tail[i];
    }
    __syncthreads();
  };
  Flags().flag_heads(head, own, rocprim::not_equal_to<int>(), storage);
  __syncthreads();
  Flags().flag_tails(tail, own, differ);
  store(0);
  Flags().flag_heads(head, own[0], own, placed);  // the first thread's is the tile's
  __syncthreads();
  Flags().flag_tails(tail, 5, own, placed, storage);
  store(1);
  Flags().flag_heads_and_tails(head, tail, own, differ, storage);
  store(2);
  Flags().flag_heads_and_tails(head, tail, 5, own, placed);
  store(3);
  Flags().flag_heads_and_tails(head, 6, tail, own, placed, storage);
  store(4);
  Flags().flag_heads_and_tails(head, in[0], tail, in[count - 1], own, differ);
  store(5);
}

constexpr int bins = 13;

__global__ void histograms(const unsigned char* in, unsigned* counts, unsigned short* few, float* added) {
  using Atomic = rocprim::block_histogram<unsigned char, threads, items, bins>;
  using Sort =
      rocprim::block_histogram<unsigned char, 8, items, bins, rocprim::block_histogram_algorithm::using_sort, 6>;
  __shared__ Atomic::storage_type atomic;
  __shared__ unsigned short shared[bins];
  unsigned char own[items];
  for (int i = 0; i < items; ++i) own[i] = in[threadIdx.x * items + i];
  Atomic().histogram(own, counts, atomic);
  __syncthreads();
  Sort().histogram(own, shared);
  __syncthreads();
  if (threadIdx.x < bins) few[threadIdx.x] = shared[threadIdx.x];
  __syncthreads();
  Atomic().init_histogram(added);
  __syncthreads();
  Atomic().composite(own, added);
  __syncthreads();
  for (int i = 0; i < items; ++i) own[i] = static_cast<unsigned char>(own[i] / 2);
  Atomic().composite(own, added, atomic);
}

/// Runs, some of them empty, a window at a time.
__global__ void runs(const unsigned short* values, const unsigned* lengths, unsigned short* out, unsigned* inRun,
                     unsigned short* byPlaces, unsigned* total) {
  constexpr int each = 2, window = 5;
  using Decode = rocprim::block_run_length_decode<unsigned short, 32, each, window>;
  __shared__ Decode::storage_type storage;
  __shared__ unsigned places[32 * each];
  unsigned short run[each];
  unsigned length[each], sum = 0;
  for (int i = 0; i < each; ++i) {
    run[i] = values[threadIdx.x * each + i];
    length[i] = lengths[threadIdx.x * each + i];
  }
  Decode decode(storage, run, length, sum);
  for (unsigned first = 0; first < sum; first += 32 * window) {
    unsigned short decoded[window];
    unsigned at[window];
    decode.run_length_decode(decoded, at, first);
    for (unsigned i = 0, place = first + threadIdx.x * window; i < window && place < sum; ++i, ++place) {
      out[place] = decoded[i];
      inRun[place] = at[i];
    }
  }
  if (threadIdx.x == 31) *total = sum;
  __syncthreads();
  if (threadIdx.x == 0)
    for (unsigned i = 0, place = 0; i < 32 * each; ++i) places[i] = place, place += lengths[i];
  __syncthreads();
  unsigned begin[each] = {places[threadIdx.x * each], places[threadIdx.x * each + 1]};
  Decode again(run, begin);
  unsigned short decoded[window];
  again.run_length_decode(decoded, 17);
  for (unsigned i = 0; i < window; ++i) byPlaces[threadIdx.x * window + i] = decoded[i];
}
