// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of matrix.cpp. Elements are small whole numbers, so that sums in float are exact in any order.
#include <bit>

#include "tests/conformance/suite/case.h"

namespace lathe::conformance {
namespace {

constexpr unsigned rows = 32, columns = 16, depth = 64;

/// How a kind of element is written down.
struct Kind {
  std::string name, type;
  unsigned bytes;
  bool isFloat;
  int least, most;  ///< of the elements
  std::uint32_t (*bits)(int);
};

std::uint32_t floatBits(int x) {
  return std::bit_cast<std::uint32_t>(static_cast<float>(x));
}
/// IEEE 754 binary16 of a number of few bits.
std::uint32_t halfBits(int x) {
  const std::uint32_t bits = floatBits(x);
  return x == 0 ? 0 : (bits >> 16 & 0x8000) | ((bits >> 23 & 0xff) - 112) << 10 | (bits >> 13 & 0x3ff);
}
const Kind kinds[] = {{"half", "_Float16", 2, true, -15, 15, halfBits},
                      {"bfloat", "__bf16", 2, true, -15, 15, [](int x) { return floatBits(x) >> 16; }},
                      {"tf32", "lathe::tf32", 4, true, -31, 31, floatBits},
                      {"s8", "signed char", 1, false, -128, 127, [](int x) { return static_cast<std::uint32_t>(x); }},
                      {"u8", "unsigned char", 1, false, 0, 255, [](int x) { return static_cast<std::uint32_t>(x); }}};

struct Matrix {
  unsigned rows, columns, stride;
  bool byRows;
  [[nodiscard]] unsigned at(unsigned row, unsigned column) const {
    return byRows ? row * stride + column : column * stride + row;
  }
  [[nodiscard]] std::size_t count() const { return std::size_t{byRows ? rows : columns} * stride; }
};
Matrix matrix(unsigned rowCount, unsigned columnCount, unsigned more, bool byRows) {
  return {rowCount, columnCount, (byRows ? columnCount : rowCount) + more, byRows};
}

std::vector<int> numbers(const Kind& kind, std::size_t count, std::uint64_t seed) {
  std::vector<int> out(count);
  const auto bits = scrambled<std::uint32_t>(count, seed);
  for (std::size_t i = 0; i < count; ++i)
    out[i] = kind.least + static_cast<int>(bits[i] % static_cast<unsigned>(kind.most - kind.least + 1));
  return out;
}

Argument written(const Kind& kind, const std::vector<int>& in) {
  std::vector<std::byte> out(in.size() * kind.bytes);
  for (std::size_t i = 0; i < in.size(); ++i) {
    const std::uint32_t bits = kind.bits(in[i]);
    std::memcpy(out.data() + i * kind.bytes, &bits, kind.bytes);
  }
  return array(out);
}

/// What the accumulator holds, as its own type has it.
Argument sumsOf(const Kind& kind, const std::vector<int>& in) {
  if (!kind.isFloat) return array(in);
  return array(std::vector<float>(in.begin(), in.end()));
}

Case product(const Kind& kind, bool aByRows, bool bByRows, bool sumsByRows) {
  const unsigned more = 4 / kind.bytes;
  const Matrix a = matrix(rows, depth, more, aByRows), b = matrix(depth, columns, more, bByRows),
               sums = matrix(rows, columns, 1, sumsByRows);
  const auto inA = numbers(kind, a.count(), 1), inB = numbers(kind, b.count(), 2);
  const auto inSums = numbers(kinds[0], sums.count(), 3);
  const auto name = [](bool byRows) { return byRows ? "rows" : "columns"; };
  std::vector<int> want(sums.count());
  for (unsigned row = 0; row < rows; ++row) {
    for (unsigned column = 0; column < columns; ++column) {
      int& sum = want[sums.at(row, column)] = inSums[sums.at(row, column)];
      for (unsigned k = 0; k < depth; ++k) sum += inA[a.at(row, k)] * inB[b.at(k, column)];
    }
  }
  return {.name = "product_" + kind.name + "_" + name(aByRows) + "_" + name(bByRows) + "_" + name(sumsByRows),
          .kernel = "product<" + kind.type + ", by_" + name(aByRows) + ", by_" + name(bByRows) + ", by_" +
                    name(sumsByRows) + ">",
          .launch = {.grid = {1}, .group = {64}},
          .arguments = {written(kind, inA), written(kind, inB), sumsOf(kind, inSums),
                        sumsOf(kind, std::vector<int>(sums.count())), value(depth)},
          .reference = [kind, want](Arguments& arguments, const Environment&) { arguments[3] = sumsOf(kind, want); }};
}

Case filled(const Kind& kind) {
  std::vector<int> want(256);
  for (unsigned i = 0; i < 256; ++i)
    want[i] = static_cast<int>(1 + 6 * (32 / kind.bytes) + 1000 * (i / 16) + 10 * (i % 16));
  return {.name = "filled_" + kind.name,
          .kernel = "filled<" + kind.type + ">",
          .launch = {.grid = {1}, .group = {64}},
          .arguments = {sumsOf(kind, std::vector<int>(256))},
          .reference = [kind, want](Arguments& arguments, const Environment&) { arguments[0] = sumsOf(kind, want); }};
}

}  // namespace

std::vector<Case> cases_kernels_matrix() {
  std::vector<Case> out;
  for (const Kind& kind : kinds) {
    out.push_back(product(kind, true, true, true));
    out.push_back(product(kind, true, false, false));
    out.push_back(product(kind, false, true, true));
    out.push_back(filled(kind));
  }
  return out;
}

}  // namespace lathe::conformance
