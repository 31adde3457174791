// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of conversions.cu: rounding by the C library, then saturation as PTX's `cvt` defines it, and what it gives
// for "not a number". To reals: long double, which holds every integer of 64 bits, in the processor's mode.
#include <cfenv>
#include <cmath>
#include <cstring>
#include <limits>

#include "tests/conformance/suite/case.h"

namespace lathe::conformance {
namespace {

using I64 = std::int64_t;
using U64 = std::uint64_t;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();
const std::vector<double> inputs = {
    0,           -0.0,        0.5,      1.5,       2.5,         -0.5,        -1.5,         -2.5,
    0.75,        -0.75,       1e9,      -1e9,      2147483520., 2147483648., -2147483648., -3e9,
    4294967040., 4294967296., 5e9,      1e15,      -1e15,       9.2e18,      9.3e18,       -9.3e18,
    1.8e19,      1.9e19,      infinity, -infinity, notANumber,  123456.7,    -123456.7,    1e-30};
constexpr int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};
double (*const roundings[])(double) = {std::nearbyint, std::trunc, std::ceil, std::floor};

/// `rounded` as an integer: the nearest one there is, `invalid` for what is not a number.
template <class Integer>
Integer saturate(double rounded, Integer invalid) {
  if (std::isnan(rounded)) return invalid;
  if (rounded >= std::ldexp(1.0, std::numeric_limits<Integer>::digits)) return std::numeric_limits<Integer>::max();
  if (rounded <= static_cast<double>(std::numeric_limits<Integer>::min())) return std::numeric_limits<Integer>::min();
  return static_cast<Integer>(rounded);
}

template <class To, class From>
To bitsOf(From x) {
  To out;
  static_assert(sizeof out == sizeof x);
  std::memcpy(&out, &x, sizeof x);
  return out;
}

constexpr I64 lowest = std::numeric_limits<I64>::min();

template <class Real, class Bits>
void toInteger(Arguments& a, const DeviceInfo&) {
  const bool narrow = sizeof(Real) == sizeof(float);
  const std::size_t n = inputs.size();
  for (std::size_t i = 0; i < n; ++i) {
    const Real x = a[0].as<Real>()[i];
    I64* const out = a[1].as<I64>() + i;
    for (std::size_t mode = 0; mode < 4; ++mode) {
      const double rounded = roundings[mode](static_cast<double>(x));
      out[mode * n] = saturate<std::int32_t>(rounded, narrow ? 0 : std::numeric_limits<std::int32_t>::min());
      out[(4 + mode) * n] = saturate<std::uint32_t>(rounded, narrow ? 0 : 1U << 31);
      out[(8 + mode) * n] = saturate<I64>(rounded, lowest);
      out[(12 + mode) * n] = static_cast<I64>(saturate<U64>(rounded, U64{1} << 63));
    }
    out[16 * n] = bitsOf<Bits>(x);
    out[17 * n] = narrow ? static_cast<std::uint32_t>(bitsOf<Bits>(x)) : static_cast<I64>(bitsOf<Bits>(x));
  }
}

template <class To>
To inMode(int mode, long double from) {
  volatile long double x = from;
  std::fesetround(mode);
  volatile To out = static_cast<To>(x);
  std::fesetround(FE_TONEAREST);
  return out;
}

template <class To>
void toReal(Arguments& a, const DeviceInfo&) {
  constexpr bool narrow = sizeof(To) == sizeof(float);
  const std::size_t n = a[0].count();
  for (std::size_t i = 0; i < n; ++i) {
    const I64 x = a[0].as<I64>()[i];
    To* out = a.end()[-2].as<To>() + i;
    const auto put = [&](long double from, std::size_t count) {
      for (std::size_t mode = 0; mode < count; ++mode, out += n) *out = inMode<To>(modes[mode], from);
    };
    put(static_cast<std::int32_t>(x), narrow ? 4 : 1);
    put(static_cast<std::uint32_t>(x), narrow ? 4 : 1);
    put(static_cast<long double>(x), 4);
    put(static_cast<long double>(static_cast<U64>(x)), 4);
    if constexpr (narrow) put(a[1].as<double>()[i], 4);
  }
}

/// Integers of all lengths, and some just beside what a real holds.
std::vector<I64> integers() {
  std::vector<I64> out = {0,
                          1,
                          -1,
                          lowest,
                          lowest + 1,
                          -(lowest + 1),
                          0x7fffffff,
                          -0x80000000LL,
                          0xffffffff,
                          (1 << 24) + 1,
                          (1 << 24) + 3,
                          -(1 << 24) - 1,
                          (1LL << 53) + 1,
                          (1LL << 53) + 3,
                          -(1LL << 53) - 1,
                          0x7fffffbf};
  const auto bits = scrambled<I64>(80, 951);
  for (std::size_t i = 0; i < bits.size(); ++i) out.push_back(bits[i] >> i % 50);
  return out;
}
std::vector<double> doubles() {
  std::vector<double> out = {0,    -0.0,  1,        1 + 0x1p-24, 1 + 0x1p-30,         -1 - 0x1p-30,     0.1,   -0.1,
                             1e39, -1e39, 0x1p-150, -0x1p-150,   0x1p-149 + 0x1p-170, 0x1.fffffffp-127, 1e-60, -1e-60};
  out.insert(out.end(), {infinity, -infinity, notANumber, 0x1.ffffffp127, -0x1.ffffffp127, 3.4028235677973366e38});
  for (const I64 bits : scrambled<I64>(74, 952))
    out.push_back(std::ldexp(static_cast<double>(bits), static_cast<int>(bits & 127) - 120));
  return out;
}

/// As NVIDIA's compiler casts: by way of 32 bits, where `cvt.rzi` saturates; the lower bits of that.
template <class Real>
void narrowed(Arguments& a, const DeviceInfo&) {
  const std::size_t n = a[0].count();
  for (std::size_t i = 0; i < n; ++i) {
    const double whole = std::trunc(static_cast<double>(a[0].as<Real>()[i]));
    const auto asSigned = saturate<std::int32_t>(whole, 0);
    const auto asUnsigned = saturate<std::uint32_t>(whole, 0);
    const int row[] = {static_cast<std::uint8_t>(asUnsigned), static_cast<std::int8_t>(asSigned),
                       static_cast<std::int8_t>(asSigned),    static_cast<std::uint16_t>(asUnsigned),
                       static_cast<std::int16_t>(asSigned),   44};
    for (std::size_t k = 0; k < std::size(row); ++k) a[1].as<int>()[k * n + i] = row[k];
  }
}
std::vector<double> beyondNarrow() {
  std::vector<double> out = inputs;
  for (const double edge :
       {127.0, 128.0, 255.0, 256.0, 300.0, 32767.0, 32768.0, 65535.0, 65536.0, 70000.0, 16777217.0}) {
    for (const double beside : {-0.75, -0.25, 0.0, 0.75}) out.insert(out.end(), {edge + beside, -edge - beside});
  }
  return out;
}

Case makeCase(const char* name, const char* kernel, Arguments arguments,
              void (*reference)(Arguments&, const DeviceInfo&)) {
  const std::size_t n = arguments[0].count();
  arguments.push_back(value(static_cast<int>(n)));
  return {.name = name,
          .kernel = kernel,
          .launch = {.grid = {static_cast<std::uint32_t>(n + 31) / 32}, .group = {32}},
          .arguments = std::move(arguments),
          .reference = reference};
}

template <class Real>
Case narrowCase(const char* name, const char* kernel) {
  const auto numbers = beyondNarrow();
  return makeCase(name, kernel,
                  {array(std::vector<Real>(numbers.begin(), numbers.end())), zeros<int>(numbers.size() * 6)},
                  narrowed<Real>);
}

std::uint32_t bitsOf(float x) {
  std::uint32_t out = 0;
  std::memcpy(&out, &x, sizeof(out));
  return out;
}

void lowBits(Arguments& a, const DeviceInfo&) {
  for (std::size_t i = 0; i < a[0].count(); ++i) {
    const float x = a[0].as<float>()[i], other = a[0].as<float>()[i ^ 1];
    a[1].as<std::uint8_t>()[2 * i] = static_cast<std::uint8_t>(bitsOf(std::sqrt(other)));
    a[1].as<std::uint8_t>()[2 * i + 1] = static_cast<std::uint8_t>(bitsOf(x * 3.7f));
    a[2].as<std::uint16_t>()[2 * i] = static_cast<std::uint16_t>(bitsOf(other * 3.7f));
    a[2].as<std::uint16_t>()[2 * i + 1] = static_cast<std::uint16_t>(bitsOf(std::sqrt(x)));
  }
}

/// The statements of the loop, of which an item leaves out those in front of its entry once.
void chosenByWay(Arguments& a, const DeviceInfo&) {
  for (unsigned i = 0; i < 64; ++i) {
    const std::uint64_t x = a[0].as<unsigned>()[i] & 0xffffU;
    const unsigned steps = 1 + (~i & 15U);
    const unsigned entry = steps % 8;
    std::uint64_t sum = i * 74565U + 1;
    for (unsigned turn = 0; (entry == 0 || entry >= 5) && turn < (steps + 7) / 8; ++turn) {
      const unsigned place = turn > 0 || entry == 0 ? 8 : entry;
      if (place == 8) sum = (sum ^ x) * 0x9e3779b97f4a7c15U;
      if (place >= 7) sum += (sum << 4) ^ ~std::uint64_t{17};
      if (place >= 6) sum += (sum << 2) ^ x;
      sum += (sum << 7) ^ x;
    }
    a[1].as<std::uint64_t>()[i] = sum;
  }
}

}  // namespace

std::vector<Case> cases_cuda_conversions() {
  const auto whole = integers();
  return {
      makeCase("float_to_integer", "floatToInteger",
               {array(std::vector<float>(inputs.begin(), inputs.end())), zeros<I64>(inputs.size() * 18)},
               toInteger<float, std::int32_t>),
      makeCase("double_to_integer", "doubleToInteger", {array(inputs), zeros<I64>(inputs.size() * 18)},
               toInteger<double, I64>),
      makeCase("to_float", "toFloat", {array(whole), array(doubles()), zeros<float>(whole.size() * 20)}, toReal<float>),
      makeCase("to_double", "toDouble", {array(whole), zeros<double>(whole.size() * 10)}, toReal<double>),
      narrowCase<float>("narrowed_floats", "narrowed<float>"),
      narrowCase<double>("narrowed_doubles", "narrowed<double>"),
      {.name = "low_bits",
       .kernel = "lowBits",
       .launch = {.grid = {2}, .group = {64}},
       .arguments = {counting<float>(128, 3.25f, 1), zeros<std::uint8_t>(256), zeros<std::uint16_t>(256)},
       .reference = lowBits},
      {.name = "chosen_by_way",
       .kernel = "chosenByWay",
       .launch = {.grid = {2}, .group = {32}},
       .arguments = {counting<unsigned>(64, 40503, 9), zeros<std::uint64_t>(64)},
       .reference = chosenByWay}};
}

}  // namespace lathe::conformance
