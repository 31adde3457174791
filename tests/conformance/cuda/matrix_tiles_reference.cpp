// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of matrix_tiles.cu: whole numbers, exact in half and bfloat16.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "tests/conformance/programs/data.h"

namespace lathe::conformance {
namespace {

/// Whether each matrix lies in memory column by column.
template <int M, int N, int K, class T, class Out, bool A, bool B, bool C = false>
void multiply(Arguments& a, const Environment&) {
  for (int row = 0; row < M; ++row)
    for (int column = 0; column < N; ++column) {
      Out& out = a[2].as<Out>()[C ? column * M + row : row * N + column];
      Out sum = out;
      for (int k = 0; k < K; ++k)
        sum += static_cast<Out>(a[0].as<T>()[A ? k * M + row : row * K + k]) *
               static_cast<Out>(a[1].as<T>()[B ? column * K + k : k * N + column]);
      out = sum * 2;
    }
}

template <int M, int N, int K, class T, class Out, bool A, bool B, bool C = false>
Case tileCase(const std::string& name, const std::string& kernel) {
  return {.name = name,
          .kernel = kernel,
          .launch = {.grid = {1}, .group = {32}},
          .arguments = {wholes<T>(std::size_t{M} * K, 121, 30), wholes<T>(std::size_t{K} * N, 122, 30),
                        wholes<Out>(std::size_t{M} * N, 123, 100)},
          .reference = multiply<M, N, K, T, Out, A, B, C>};
}

/// Ten digits behind the point: halves go away from zero.
void roundings(Arguments& a, const Environment&) {
  for (std::size_t i = 0; i < 32; ++i) {
    const float x = a[0].as<float>()[i];
    const int exponent = x == 0 || !std::isfinite(x) ? 0 : std::max(std::ilogb(x), -126);
    const double steps = std::isfinite(x) ? std::round(std::ldexp(double{x}, 10 - exponent)) : double{x};
    const auto rounded = static_cast<float>(std::ldexp(steps, exponent - 10));
    std::uint32_t& out = a[1].as<std::uint32_t>()[i];
    if (std::isnan(x))
      out = ~0U;
    else
      std::memcpy(&out, &rounded, sizeof out);
  }
}
std::vector<float> edges() {
  std::vector<float> out = {
      0,          -0.0F,           1,         1 + 0x1p-11F,  1 + 0x1p-12F, -1 - 0x1p-11F, -1 - 0x1.8p-11F, 3 + 0x1p-10F,
      0x1.fffp0F, 0x1.fffffep127F, 0x1p-149F, 0x1.002p-126F, HUGE_VALF,    -HUGE_VALF,    std::nanf("")};
  for (const std::int32_t bits : scrambled<std::int32_t>(32 - out.size(), 124)) out.push_back(static_cast<float>(bits));
  return out;
}

}  // namespace

std::vector<Case> cases_cuda_matrix_tiles() {
  const std::string row = "nvcuda::wmma::row_major", column = "nvcuda::wmma::col_major";
  return {
      tileCase<16, 16, 16, float, float, false, true>("half", "halves<16, 16, __half, " + row + ", " + column + ">"),
      tileCase<32, 8, 16, float, float, true, false>("half_tall", "halves<32, 8, __half, " + column + ", " + row + ">"),
      tileCase<8, 32, 16, float, float, true, true>("half_wide",
                                                    "halves<8, 32, __half, " + column + ", " + column + ">"),
      tileCase<16, 16, 16, float, float, false, false>("bfloat16",
                                                       "halves<16, 16, __nv_bfloat16, " + row + ", " + row + ">"),
      tileCase<32, 8, 16, float, float, true, true>("bfloat16_tall",
                                                    "halves<32, 8, __nv_bfloat16, " + column + ", " + column + ">"),
      tileCase<8, 32, 16, float, float, false, false>("bfloat16_wide",
                                                      "halves<8, 32, __nv_bfloat16, " + row + ", " + row + ">"),
      tileCase<16, 16, 16, signed char, int, false, true, true>("bytes", "bytes<16, 16, signed char>"),
      tileCase<32, 8, 16, signed char, int, false, true, true>("bytes_tall", "bytes<32, 8, signed char>"),
      tileCase<8, 32, 16, unsigned char, int, false, true, true>("bytes_wide", "bytes<8, 32, unsigned char>"),
      tileCase<8, 8, 4, double, double, false, true>("doubles", "doubles"),
      tileCase<16, 16, 8, float, float, false, true>("tf32", "narrowed"),
      {.name = "tf32_roundings",
       .kernel = "roundings",
       .launch = {.group = {32}},
       .arguments = {array(edges()), zeros<std::uint32_t>(32)},
       .reference = roundings}};
}

}  // namespace lathe::conformance
