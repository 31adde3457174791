// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of small_float_conversions.cu. To integers: rounded, then the nearest one there is; of what is not a
// number 0, of 64 bits the highest alone (CUDA Math API, "Half Precision Conversion and Data Movement").
#include <cstring>

#include "tests/conformance/suite/case.h"
#include "tests/conformance/suite/small_float.h"

namespace lathe::conformance {
namespace {

using I64 = std::int64_t;
using U64 = std::uint64_t;
constexpr std::size_t n = 192, realFunctions = 11, integerFunctions = 24, backFunctions = 24 + 2 + 8 + 5;
constexpr Rounding modes[] = {Rounding::nearest, Rounding::zero, Rounding::up, Rounding::down};

std::uint32_t bitsOf(float x) {
  std::uint32_t out;
  std::memcpy(&out, &x, sizeof out);
  return out;
}

template <const SmallFloat& format>
void fromReals(Arguments& a, const DeviceInfo&) {
  for (std::size_t i = 0; i < n; ++i) {
    const double wide = a[0].as<double>()[i];
    const float x = static_cast<float>(wide);
    const unsigned nearest = format.bits(x);
    const unsigned row[] = {format.bits(wide),
                            nearest,
                            nearest,
                            format.bits(x, Rounding::zero),
                            format.bits(x, Rounding::up),
                            format.bits(x, Rounding::down),
                            nearest,
                            nearest,
                            nearest,
                            nearest,
                            format.bits(wide)};
    for (std::size_t k = 0; k < realFunctions; ++k) a[1].as<std::uint32_t>()[k * n + i] = row[k];
  }
}

template <const SmallFloat& format>
void fromIntegers(Arguments& a, const DeviceInfo&) {
  for (std::size_t i = 0; i < n; ++i) {
    const I64 x = a[0].as<I64>()[i];
    std::uint32_t* out = a[1].as<std::uint32_t>() + i;
    // What a double does not hold shows in its last digit.
    const auto put = [&](bool negative, U64 magnitude) {
      const U64 kept = magnitude >> 53 == 0 ? magnitude : (magnitude >> 11 | ((magnitude & 0x7ff) != 0)) << 11;
      const double real = negative ? -static_cast<double>(kept) : static_cast<double>(kept);
      for (const Rounding mode : modes) {
        *out = format.bits(real, mode);
        out += n;
      }
    };
    const auto putSigned = [&](I64 y) { put(y < 0, y < 0 ? 0 - static_cast<U64>(y) : static_cast<U64>(y)); };
    putSigned(static_cast<std::int16_t>(x));
    put(false, static_cast<std::uint16_t>(x));
    putSigned(static_cast<std::int32_t>(x));
    put(false, static_cast<std::uint32_t>(x));
    putSigned(x);
    put(false, static_cast<U64>(x));
  }
}

template <class Integer>
Integer nearestInteger(double x, Rounding mode, Integer invalid) {
  if (std::isnan(x)) return invalid;
  if (std::isinf(x)) return x < 0 ? std::numeric_limits<Integer>::min() : std::numeric_limits<Integer>::max();
  const double magnitude = std::fabs(x), whole = std::floor(magnitude);
  const double rounded = std::copysign(roundedSteps(whole, magnitude - whole, x < 0, mode), x);
  if (rounded >= std::ldexp(1.0, std::numeric_limits<Integer>::digits)) return std::numeric_limits<Integer>::max();
  if (rounded <= static_cast<double>(std::numeric_limits<Integer>::min())) return std::numeric_limits<Integer>::min();
  return static_cast<Integer>(rounded);
}

template <const SmallFloat& format>
void toOthers(Arguments& a, const DeviceInfo&) {
  for (std::size_t i = 0; i < n; ++i) {
    const double x = format.value(a[0].as<std::uint32_t>()[i]);
    I64* out = a[1].as<I64>() + i;
    const auto put = [&](auto integer) {
      *out = static_cast<I64>(integer);
      out += n;
    };
    const auto putModes = [&](auto invalid) {
      for (const Rounding mode : modes) put(nearestInteger(x, mode, invalid));
    };
    putModes(std::int16_t{0});
    putModes(std::uint16_t{0});
    putModes(std::int32_t{0});
    putModes(std::uint32_t{0});
    putModes(std::numeric_limits<I64>::min());
    putModes(U64{1} << 63);
    put(nearestInteger(x, Rounding::zero, std::int8_t{0}));
    put(nearestInteger(x, Rounding::zero, std::uint8_t{0}));
    put(nearestInteger(x, Rounding::zero, std::int8_t{0}));
    put(nearestInteger(x, Rounding::zero, std::uint8_t{0}));
    put(nearestInteger(x, Rounding::zero, std::int16_t{0}));
    put(nearestInteger(x, Rounding::zero, std::uint16_t{0}));
    put(nearestInteger(x, Rounding::zero, std::int32_t{0}));
    put(nearestInteger(x, Rounding::zero, std::uint32_t{0}));
    put(nearestInteger(x, Rounding::zero, std::numeric_limits<I64>::min()));
    put(nearestInteger(x, Rounding::zero, U64{1} << 63));
    const I64 wide = std::isnan(x) ? 0x7fc00000 : static_cast<std::int32_t>(bitsOf(static_cast<float>(x)));
    put(wide), put(wide), put(wide), put(wide);
    put(static_cast<std::int32_t>(bitsOf(static_cast<float>(2 * format.value(0x4000)))));
  }
}

/// Numbers of the format, the middles between them and what is beside those, beyond its ends and below its least.
template <const SmallFloat& format>
std::vector<double> reals() {
  std::vector<double> out;
  for (const std::uint32_t bits : scrambled<std::uint32_t>(16, 921)) {
    const unsigned low = bits & 0x7fff;
    if (low >= format.infinity() - 1) continue;
    const double x = format.value(low), middle = (x + format.value(low + 1)) / 2;
    const double beside[] = {x, middle, std::nextafter(middle, 0.0), middle * (1 + 0x1p-22)};
    for (const double y : beside) out.insert(out.end(), {y, -y});
  }
  const double edge[] = {0,
                         format.largest(),
                         format.largest() * (1 + std::ldexp(1, -format.fractionBits - 2)),
                         format.value(1),
                         format.value(1) / 2,
                         format.value(1) / 4,
                         format.value(3) / 2,
                         HUGE_VAL,
                         3e38,
                         1e5,
                         65519.99,
                         65520};
  for (const double y : edge) out.insert(out.end(), {y, -y});
  out.push_back(std::numeric_limits<double>::quiet_NaN());
  out.resize(n, 1.5);
  return out;
}
std::vector<I64> integers() {
  std::vector<I64> out = scrambled<I64>(n, 922);
  for (std::size_t i = 0; i < 96; ++i) out[i] >>= i % 2 == 0 ? 48 : 32;
  const I64 edge[] = {0,
                      1,
                      -1,
                      2049,
                      2051,
                      -2049,
                      65504,
                      65519,
                      65520,
                      65535,
                      -65520,
                      257,
                      259,
                      32767,
                      -32768,
                      (1 << 24) + (1 << 16) + 1,
                      16842753,
                      -16842753,
                      std::numeric_limits<I64>::min(),
                      std::numeric_limits<I64>::max(),
                      (I64{1} << 62) + (I64{1} << 54) + 1,
                      -(I64{1} << 40) - 1};
  std::copy(std::begin(edge), std::end(edge), out.begin());
  return out;
}
template <const SmallFloat& format>
std::vector<std::uint32_t> numbers() {
  std::vector<std::uint32_t> out = scrambled<std::uint32_t>(n, 923);
  for (std::uint32_t& x : out) x &= 0xffff;
  const auto edge = corners(format);
  std::copy(edge.begin(), edge.end(), out.begin());
  const double halves[] = {0.5,   1.5,   2.5,   0.25, 0.75, 127.5, 128,    255, 256,
                           32768, 49152, 65280, 1e9,  3e9,  1e19,  9.3e18, 1e20};
  std::size_t at = edge.size();
  for (const double x : halves) out[at++] = format.bits(x), out[at++] = format.bits(-x);
  return out;
}

template <const SmallFloat& format>
void addCases(std::vector<Case>& out, const std::string& type) {
  const auto add = [&](const char* suffix, Argument in, Argument zero, auto reference) {
    out.push_back({.name = type + suffix,
                   .kernel = type + suffix,
                   .launch = {.grid = {n / 32}, .group = {32}},
                   .arguments = {std::move(in), std::move(zero), value(static_cast<int>(n))},
                   .reference = reference});
  };
  add("FromReals", array(reals<format>()), zeros<std::uint32_t>(n * realFunctions), fromReals<format>);
  add("FromIntegers", array(integers()), zeros<std::uint32_t>(n * integerFunctions), fromIntegers<format>);
  add("ToOthers", array(numbers<format>()), zeros<I64>(n * backFunctions), toOthers<format>);
}

}  // namespace

std::vector<Case> cases_cuda_small_float_conversions() {
  std::vector<Case> out;
  addCases<half>(out, "half");
  addCases<bfloat>(out, "bfloat16");
  return out;
}

}  // namespace lathe::conformance
