// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions, scans and sorts of CCCL, each over 64 MiB of numbers and so many times as the program's argument says. The
// results of whole numbers are compared with the host's.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

#include <cub/cub.cuh>
#include <thrust/device_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform_reduce.h>

/// Has linkage: nvcc's names of kernels for types without hold a number of its own.
struct Square {
  __host__ __device__ float operator()(float x) const { return x * x; }
};

namespace {

constexpr int count = 1 << 24;

void require(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(status));
  std::exit(1);
}

/// Calls a CUB algorithm, which asks for its memory first, `times` times.
template <class Algorithm>
void repeat(int times, Algorithm algorithm) {
  std::size_t bytes = 0;
  require(algorithm(nullptr, bytes));
  thrust::device_vector<char> memory(bytes);
  for (int i = 0; i < times; ++i) require(algorithm(thrust::raw_pointer_cast(memory.data()), bytes));
}

}  // namespace

int main(int argc, char** argv) {
  const int times = argc > 1 ? std::atoi(argv[1]) : 20;
  std::vector<std::uint32_t> host(count);
  std::uint32_t state = 1;
  for (std::uint32_t& x : host) x = state = state * 1664525u + 1013904223u;
  const thrust::device_vector<std::uint32_t> words = host;
  const thrust::device_vector<float> floats(words.begin(), words.end());
  const std::uint32_t* const in = thrust::raw_pointer_cast(words.data());
  const float* const real = thrust::raw_pointer_cast(floats.data());
  thrust::device_vector<std::uint32_t> out(count), values(count), valuesOut(count);
  thrust::device_vector<float> realOut(count);
  std::uint32_t* const to = thrust::raw_pointer_cast(out.data());
  float* const realTo = thrust::raw_pointer_cast(realOut.data());

  repeat(times, [&](void* m, std::size_t& n) { return cub::DeviceReduce::Sum(m, n, in, to, count); });
  if (out[0] != std::accumulate(host.begin(), host.end(), 0u)) return std::puts("DeviceReduce::Sum: wrong"), 1;
  repeat(times, [&](void* m, std::size_t& n) { return cub::DeviceReduce::Sum(m, n, real, realTo, count); });
  repeat(times, [&](void* m, std::size_t& n) { return cub::DeviceReduce::Max(m, n, real, realTo, count); });
  repeat(times, [&](void* m, std::size_t& n) { return cub::DeviceScan::InclusiveSum(m, n, in, to, count); });
  std::vector<std::uint32_t> expected(count);
  std::partial_sum(host.begin(), host.end(), expected.begin());
  std::vector<std::uint32_t> found(count);
  thrust::copy(out.begin(), out.end(), found.begin());
  if (found != expected) return std::puts("DeviceScan::InclusiveSum: wrong"), 1;
  repeat(times, [&](void* m, std::size_t& n) { return cub::DeviceScan::ExclusiveSum(m, n, real, realTo, count); });
  repeat(times, [&](void* m, std::size_t& n) { return cub::DeviceRadixSort::SortKeys(m, n, in, to, count); });
  thrust::copy(out.begin(), out.end(), found.begin());
  expected = host;
  std::sort(expected.begin(), expected.end());
  if (found != expected) return std::puts("DeviceRadixSort::SortKeys: wrong"), 1;
  repeat(times, [&](void* m, std::size_t& n) {
    return cub::DeviceRadixSort::SortPairs(m, n, in, to, thrust::raw_pointer_cast(values.data()),
                                           thrust::raw_pointer_cast(valuesOut.data()), count);
  });
  for (int i = 0; i < times; ++i) {
    out = words;
    thrust::sort(out.begin(), out.end(), thrust::greater<std::uint32_t>());
    thrust::inclusive_scan(words.begin(), words.end(), out.begin());
    realOut[0] = thrust::transform_reduce(floats.begin(), floats.end(), Square(), 0.0f, thrust::plus<float>());
  }
  require(cudaDeviceSynchronize());
  return std::puts("right"), 0;
}
