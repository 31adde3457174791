// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of linear_algebra.cu.
#include "tests/conformance/programs/data.h"

namespace lathe::conformance {
namespace {

void gemm(Arguments& a, const Environment&) {
  const int m = *a[0].as<int>(), n = *a[1].as<int>(), k = *a[2].as<int>();
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int l = 0; l < k; ++l) sum += a[4].as<float>()[i * k + l] * a[5].as<float>()[l * n + j];
      float& c = a[7].as<float>()[i * n + j];
      c = *a[3].as<float>() * sum + *a[6].as<float>() * c;
    }
}

void gemv(Arguments& a, const Environment&) {
  const int rows = *a[3].as<int>(), columns = *a[4].as<int>();
  for (int i = 0; i < rows; ++i) {
    float sum = 0;
    for (int j = 0; j < columns; ++j) sum += a[0].as<float>()[i * columns + j] * a[1].as<float>()[j];
    a[2].as<float>()[i] = sum;
  }
}

void spmv(Arguments& a, const Environment&) {
  for (int row = 0; row < *a[0].as<int>(); ++row) {
    double sum = 0;
    for (int i = a[1].as<int>()[row]; i < a[1].as<int>()[row + 1]; ++i)
      sum += a[3].as<double>()[i] * a[4].as<double>()[a[2].as<int>()[i]];
    a[5].as<double>()[row] = sum;
  }
}
std::vector<Argument> sparseSystem(int rows) {
  std::vector<int> first = {0}, column;
  const std::vector<std::uint32_t> bits = scrambled<std::uint32_t>(4096, 21);
  for (int row = 0; row < rows; ++row) {
    const auto length = bits[static_cast<std::size_t>(row)] % 23;  // some rows are empty, some longer than a tile
    for (std::uint32_t i = 0; i < length; ++i)
      column.push_back(static_cast<int>(bits[column.size() + 200] % static_cast<unsigned>(rows)));
    first.push_back(static_cast<int>(column.size()));
  }
  const auto entries = column.size(), n = static_cast<std::size_t>(rows);
  return {value(rows),     array(first), array(column), wholes<double>(entries, 22, 40), wholes<double>(n, 23, 40),
          zeros<double>(n)};
}

constexpr std::uint64_t prime = 65521;
std::uint64_t inverse(std::uint64_t x) {
  std::uint64_t out = 1;
  for (std::uint64_t e = prime - 2; e; e >>= 1, x = x * x % prime)
    if (e & 1) out = out * x % prime;
  return out;
}
/// By elimination to a triangle and substitution from the end, unlike the kernel.
void solve(Arguments& a, const Environment&) {
  const int n = *a[2].as<int>();
  std::vector<std::uint64_t> m(a[0].as<unsigned>(), a[0].as<unsigned>() + n * n),
      x(a[1].as<unsigned>(), a[1].as<unsigned>() + n);
  const auto at = [&](int i, int j) -> std::uint64_t& { return m[static_cast<std::size_t>(i * n + j)]; };
  const auto right = [&](int i) -> std::uint64_t& { return x[static_cast<std::size_t>(i)]; };
  for (int k = 0; k < n; ++k)
    for (int i = k + 1; i < n; ++i) {
      const std::uint64_t factor = prime - at(i, k) * inverse(at(k, k)) % prime;
      for (int j = k; j < n; ++j) at(i, j) = (at(i, j) + factor * at(k, j)) % prime;
      right(i) = (right(i) + factor * right(k)) % prime;
    }
  for (int i = n - 1; i >= 0; --i) {
    for (int j = i + 1; j < n; ++j) right(i) = (right(i) + (prime - at(i, j)) * right(j)) % prime;
    right(i) = right(i) * inverse(at(i, i)) % prime;
    a[1].as<unsigned>()[i] = static_cast<unsigned>(right(i));
  }
}
Argument modular(std::size_t n, std::uint64_t seed) {
  std::vector<unsigned> out = scrambled<unsigned>(n, seed);
  for (unsigned& x : out) x = static_cast<unsigned>(x % prime);
  return array(out);
}

void transpose(Arguments& a, const Environment&) {
  const int width = *a[2].as<int>(), height = *a[3].as<int>();
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (int c = 0; c < 4; ++c)
        a[1].as<float>()[(x * height + y) * 4 + c] = a[0].as<float>()[(y * width + x) * 4 + c];
}

}  // namespace

std::vector<Case> cases_programs_linear_algebra() {
  return {{.name = "gemm",
           .kernel = "gemm<float, 8, 4>",
           .launch = {.grid = {4, 2}, .group = {8, 8}},
           .arguments = {value(50), value(30), value(21), value(2.0f), wholes<float>(50 * 21, 11, 20),
                         wholes<float>(21 * 30, 12, 20), value(-1.0f), wholes<float>(50 * 30, 13, 20)},
           .reference = gemm},
          {.name = "gemv",
           .kernel = "gemv",
           .launch = {.grid = {3}, .group = {128}},
           .arguments = {wholes<float>(11 * 77, 14, 100), wholes<float>(77, 15, 100), zeros<float>(11), value(11),
                         value(77)},
           .reference = gemv},
          {.name = "spmv",
           .kernel = "spmv<8>",
           .launch = {.grid = {9}, .group = {64}},
           .arguments = sparseSystem(70),
           .reference = spmv},
          {.name = "eliminate",
           .kernel = "eliminate",
           .launch = {.grid = {1}, .group = {32}, .dynamicSharedBytes = 40 * 41 * sizeof(unsigned)},
           .arguments = {modular(40 * 40, 16), modular(40, 17), value(40)},
           .reference = solve},
          {.name = "transpose",
           .kernel = "transpose",
           .launch = {.grid = {3, 2}, .group = {8, 8}},
           .arguments = {wholes<float>(21 * 13 * 4, 18, 1000), zeros<float>(21 * 13 * 4), value(21), value(13)},
           .reference = transpose}};
}

}  // namespace lathe::conformance
