// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C++ library in kernels, with nothing installed: values, algorithms on small arrays, numbers.
// REQUIRES: libcxx
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx 2> %t.cuda
// RUN: %if ptxas %{ %ptxas -arch=sm_80 %t.ptx -o %t.cubin %}
// RUN: %compile %s -t cpu -o %t.limg
// RUN: %lathe run %s -t cpu --grid 1 --group 2 -k sortSmall --arg 'json:[5, 3, 9, 1, 8, 2, 7, 4]' --print 0:8 | FileCheck %s
// CHECK: 1 3 5 9 2 4 7 8
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <complex>
#include <concepts>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

__global__ void sortSmall(int* data) {
  std::array<int, 4> local;
  for (int i = 0; i < 4; ++i) local[i] = data[4 * threadIdx.x + i];
  std::sort(local.begin(), local.end());
  for (int i = 0; i < 4; ++i) data[4 * threadIdx.x + i] = local[i];
}

template <std::floating_point T>
__device__ std::optional<T> rootOf(T x) {
  if (x < 0) return std::nullopt;
  return std::sqrt(x);
}

__global__ void values(float* data, int n) {
  std::span<float> all(data, n);
  const auto [least, most] = std::minmax_element(all.begin(), all.end());
  std::tuple<float, int> pair(*least, static_cast<int>(most - all.begin()));
  data[0] = std::get<0>(pair) + std::get<1>(pair) + rootOf(data[1]).value_or(-1.0f);
  data[1] = std::accumulate(all.begin(), all.end(), 0.0f, std::plus<float>());
  data[2] = std::numeric_limits<float>::max() * static_cast<float>(std::popcount(static_cast<std::uint32_t>(n)));
  std::variant<int, float> either = data[3];
  data[4] = std::holds_alternative<float>(either) ? *std::get_if<float>(&either) : 0.0f;
}

__global__ void mandelbrot(int* out, int width, int most) {
  const std::complex<float> c(-2.0f + 3.0f * threadIdx.x / width, -1.0f + 2.0f * blockIdx.x / width);
  std::complex<float> z = 0;
  int count = 0;
  while (count < most && z.real() * z.real() + z.imag() * z.imag() < 4.0f) {
    z = z * z + c;
    ++count;
  }
  out[blockIdx.x * width + threadIdx.x] = count;
}

int main() {
  sortSmall<<<1, 2>>>(nullptr);
  std::complex<double> host(1, 2);
  return std::abs(host) > 0 ? 0 : 1;
}
