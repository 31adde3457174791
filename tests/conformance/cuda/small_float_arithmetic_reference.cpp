// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of small_float_arithmetic.cu: doubles, which hold every product of two such numbers, rounded once. CUDA
// Math API, "Half Precision Intrinsics": …_sat clamps to [0, 1] and makes 0 of what is not a number; …_relu clamps to 0
// and keeps it; minimum and maximum take the other operand, or (…_nan) keep it, and hold -0 to be below +0.
#include <algorithm>

#include "tests/conformance/suite/case.h"
#include "tests/conformance/suite/small_float.h"

namespace lathe::conformance {
namespace {

constexpr std::size_t n = 768, functions = 19 * 2 + 6;

double larger(double x, double y) {
  if (std::isnan(x)) return y;
  if (std::isnan(y)) return x;
  if (x == y) return std::signbit(x) ? y : x;
  return std::max(x, y);
}
double smaller(double x, double y) {
  return -larger(-x, -y);
}
double orNan(double x, double y, double result) {
  return std::isnan(x) || std::isnan(y) ? std::numeric_limits<double>::quiet_NaN() : result;
}

struct Output {
  const SmallFloat& format;
  Arguments& arguments;
  std::size_t function = 0;

  [[nodiscard]] std::uint32_t word(std::size_t argument, std::size_t i) const {
    return arguments[argument].as<std::uint32_t>()[i];
  }
  [[nodiscard]] double at(std::size_t argument, std::size_t i, int half) const {
    return format.value(word(argument, i) >> 16 * half & 0xffff);
  }
  void store(std::size_t i, unsigned low, unsigned high) {
    arguments[3].as<std::uint32_t>()[function * n + i] = low | high << 16;
  }
  /// The same results `times` over, of functions of three numbers that round as they like.
  template <class F>
  void put(int times, const F& of) {
    for (int time = 0; time < times; ++time, ++function)
      for (std::size_t i = 0; i < n; ++i)
        store(i, of(at(0, i, 0), at(1, i, 0), at(2, i, 0)), of(at(0, i, 1), at(1, i, 1), at(2, i, 1)));
  }
  template <class F>
  void rounded(int times, const F& of) {
    put(times, [&](double x, double y, double z) { return format.bits(of(x, y, z)); });
  }
  template <class F>
  void saturated(const F& of) {
    put(2, [&](double x, double y, double z) {
      const double result = of(x, y, z);
      return format.bits(result > 0 ? std::min(result, 1.0) : 0);
    });
  }
};

template <const SmallFloat& format>
void reference(Arguments& a, const DeviceInfo&) {
  Output out{format, a};
  const auto sum = [](double x, double y, double) { return sumToOdd(x, y); };
  const auto difference = [](double x, double y, double) { return sumToOdd(x, -y); };
  const auto product = [](double x, double y, double) { return x * y; };
  const auto quotient = [](double x, double y, double) { return x / y; };
  const auto fused = [](double x, double y, double z) { return sumToOdd(x * y, z); };
  out.rounded(4, sum);
  out.saturated(sum);
  out.rounded(4, difference);
  out.saturated(difference);
  out.rounded(4, product);
  out.saturated(product);
  out.rounded(2, quotient);
  out.rounded(2, [](double x, double y, double) { return larger(x, y); });
  out.rounded(2, [](double x, double y, double) { return smaller(x, y); });
  out.rounded(2, [](double x, double y, double) { return orNan(x, y, larger(x, y)); });
  out.rounded(2, [](double x, double y, double) { return orNan(x, y, smaller(x, y)); });
  out.rounded(2, fused);
  out.saturated(fused);
  out.rounded(2, [&](double x, double y, double z) {
    const double result = fused(x, y, z);
    return result <= 0 ? 0 : result;
  });
  out.rounded(2, [](double x, double, double) { return -x; });
  out.rounded(2, [](double x, double, double) { return std::fabs(x); });
  out.rounded(1, sum), out.rounded(1, difference), out.rounded(1, product), out.rounded(1, quotient);
  out.rounded(1, [](double x, double, double) { return -x; });
  // Of complex numbers, each part two fused steps.
  for (std::size_t i = 0; i < n; ++i) {
    const double x[] = {out.at(0, i, 0), out.at(0, i, 1)}, y[] = {out.at(1, i, 0), out.at(1, i, 1)};
    const auto step = [&](double p, double q, double r) { return format.value(format.bits(fused(p, q, r))); };
    const double real = step(-x[1], y[1], step(x[0], y[0], out.at(2, i, 0)));
    const double imaginary = step(x[1], y[0], step(x[0], y[1], out.at(2, i, 1)));
    out.store(i, format.bits(real), format.bits(imaginary));
  }
}

/// Corners with corners, other bits, products that end in the middle of two numbers beside a tiny third one.
std::vector<std::uint32_t> thirds(const SmallFloat& format) {
  std::vector<std::uint32_t> out = scrambled<std::uint32_t>(n, 903);
  const auto edge = corners(format);
  for (std::size_t i = 0; i < n; ++i)
    if (i % 3 != 0) out[i] = (out[i] & 0xffff0000U) | edge[i % edge.size()];
  for (std::size_t i = n - 32; i < n; ++i) out[i] = i % 2 != 0 ? 0x80010001U : 0x00018001U;
  return out;
}
std::vector<std::uint32_t> operands(const SmallFloat& format, std::size_t period, std::uint64_t seed) {
  auto out = cornerWords(format, n - 64, period, scrambled<std::uint32_t>(n, seed));
  // One and its last digit times one and a half.
  const unsigned last = format.bits(period == 1 ? 1.5 : 1) + (period == 1 ? 0 : 1);
  for (std::size_t i = n - 32; i < n; ++i) {
    const unsigned sign = period == 1 && i % 4 >= 2 ? 0x8000 : 0;
    out[i] = (last | sign) | (last | sign) << 16;
  }
  return out;
}

template <const SmallFloat& format>
Case makeCase(const char* name, const char* kernel) {
  const std::size_t period = corners(format).size();
  return {.name = name,
          .kernel = kernel,
          .launch = {.grid = {n / 64}, .group = {64}},
          .arguments = {array(operands(format, 1, 901)), array(operands(format, period, 902)), array(thirds(format)),
                        zeros<std::uint32_t>(n * functions), value(static_cast<int>(n))},
          .reference = reference<format>};
}

}  // namespace

std::vector<Case> cases_cuda_small_float_arithmetic() {
  return {makeCase<half>("half", "halves"), makeCase<bfloat>("bfloat16", "bfloats")};
}

}  // namespace lathe::conformance
