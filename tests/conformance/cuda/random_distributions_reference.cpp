// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of random_distributions.cu, from the generators' words: Philox's counters, Marsaglia's xorwow with the
// seeds that cuRAND gives it. Uniform numbers are in (0, 1] (cuRAND's guide, "Device API overview"); normal ones are
// Box and Muller's, of 1958; Poisson's are Knuth's products ("Seminumerical Algorithms", 3.4.1), and rounded normal
// numbers where the mean is large.
#include <array>
#include <cmath>
#include <memory>

#include "tests/conformance/suite/case.h"
#include "tests/conformance/suite/philox.h"

namespace lathe::conformance {
namespace {

constexpr std::size_t n = 32;
constexpr std::uint64_t seed = 0x1234567890abcdefULL;

/// A stream of words.
using Stream = std::function<std::uint32_t()>;

Stream philoxStream(std::uint64_t sequence) {
  return [sequence, position = std::uint64_t{0}]() mutable { return philoxWord(seed, sequence, position++); };
}
Stream xorwowStream(std::uint64_t from) {
  const std::uint32_t t0 = 1099087573U * (static_cast<std::uint32_t>(from) ^ 0xaad26b49U);
  const std::uint32_t t1 = 2591861531U * (static_cast<std::uint32_t>(from >> 32) ^ 0xf7dcefddU);
  std::array<std::uint32_t, 5> x = {123456789U + t0, 362436069U ^ t0, 521288629U + t1, 88675123U ^ t1, 5783321U + t0};
  return [x, d = 6615241U + t1 + t0]() mutable {
    const std::uint32_t t = x[0] ^ x[0] >> 2, last = x[4];
    x = {x[1], x[2], x[3], last, (last ^ last << 4) ^ (t ^ t << 1)};
    return x[4] + (d += 362437);
  };
}

double uniform(const Stream& next) {
  return std::ldexp(next() + 0.5, -32);
}
double uniformWide(const Stream& next) {
  const std::uint64_t x = next(), y = next();
  return std::ldexp(static_cast<double>(x ^ y << 21) + 0.5, -53);
}
std::array<double, 2> normals(double u, double v) {
  const double radius = std::sqrt(-2 * std::log(u)), angle = 2 * std::acos(-1.0) * v;
  return {radius * std::sin(angle), radius * std::cos(angle)};
}
std::array<double, 2> normals(const Stream& next) {
  const double u = uniform(next);
  return normals(u, uniform(next));
}
std::array<double, 2> normalsWide(const Stream& next) {
  const double u = uniformWide(next);
  return normals(u, uniformWide(next));
}
double logOf(double normal) {
  return std::exp(0.25 + 0.5 * normal);
}
std::uint32_t poisson(const Stream& next, double mean) {
  if (mean > 64) return static_cast<std::uint32_t>(std::floor(normalsWide(next)[0] * std::sqrt(mean) + mean + 0.5));
  std::uint32_t count = 0;
  for (double product = uniformWide(next); product > std::exp(-mean); ++count) product *= uniformWide(next);
  return count;
}

void words(Arguments& a, const DeviceInfo&) {
  for (std::size_t i = 0; i < n; ++i) {
    std::uint32_t* const row = a[1].as<std::uint32_t>() + 6 * i;
    for (std::size_t k = 0; k < 5; ++k) row[k] = philoxWord(seed, i, i % 5 + k);
    row[5] = philoxWord(seed, i + 2, i % 5 + 5);
  }
}

template <class MakeStream>
std::function<void(Arguments&, const DeviceInfo&)> drawn(const MakeStream& stream) {
  return [=](Arguments& a, const DeviceInfo&) {
    for (std::size_t i = 0; i < n; ++i) {
      float* const single = a[1].as<float>() + 9 * i;
      double* const wide = a[2].as<double>() + 9 * i;
      const Stream one = stream(i), two = stream(i), three = stream(i), four = stream(i);
      const auto first = normals(one), second = normals(one);
      const auto firstWide = normalsWide(two), secondWide = normalsWide(two);
      const std::array<double, 9> singles = {uniform(stream(i)), first[0],        first[1],
                                             second[0],          first[0],        first[1],
                                             logOf(first[0]),    logOf(first[0]), logOf(first[1])};
      std::copy(singles.begin(), singles.end(), single);
      const std::array<double, 9> wides = {uniformWide(stream(i)), firstWide[0],        firstWide[1],
                                           secondWide[0],          firstWide[0],        firstWide[1],
                                           logOf(firstWide[0]),    logOf(firstWide[0]), logOf(firstWide[1])};
      std::copy(wides.begin(), wides.end(), wide);
      a[3].as<std::uint32_t>()[2 * i] = poisson(three, 4);
      a[3].as<std::uint32_t>()[2 * i + 1] = poisson(four, 400);
    }
  };
}

void fours(Arguments& a, const DeviceInfo&) {
  for (std::size_t i = 0; i < n; ++i) {
    const Stream one = philoxStream(i), two = philoxStream(i), three = philoxStream(i), four = philoxStream(i);
    float* const single = a[1].as<float>() + 12 * i;
    for (std::size_t k = 0; k < 4; ++k) single[k] = static_cast<float>(uniform(one));
    for (std::size_t k = 0; k < 4; k += 2) {
      const auto pair = normals(two);
      for (std::size_t part = 0; part < 2; ++part) {
        single[4 + k + part] = static_cast<float>(pair[part]);
        single[8 + k + part] = static_cast<float>(logOf(pair[part]));
      }
    }
    double* const wide = a[2].as<double>() + 14 * i;
    for (std::size_t k = 0; k < 4; ++k) wide[2 + k] = uniformWide(three);
    std::copy_n(wide + 2, 2, wide);
    const Stream five = philoxStream(i);
    for (std::size_t k = 0; k < 4; k += 2) {
      const auto pair = normalsWide(five);
      for (std::size_t part = 0; part < 2; ++part) {
        wide[6 + k + part] = pair[part];
        wide[10 + k + part] = logOf(pair[part]);
      }
    }
    for (std::size_t k = 0; k < 4; ++k) a[3].as<std::uint32_t>()[4 * i + k] = poisson(four, 4);
  }
}

/// The kernels' normal numbers are of rounded uniform ones: near 1, where the logarithm has its zero, a unit of those
/// is much. The bound holds for floats and is no less than what doubles are off by.
Case distributions(const char* name, std::size_t floats, std::size_t doubles, std::size_t counts,
                   std::function<void(Arguments&, const DeviceInfo&)> reference) {
  return {.name = name,
          .kernel = name,
          .launch = {.group = {n}},
          .arguments = {value(seed), zeros<float>(floats * n), zeros<double>(doubles * n),
                        zeros<std::uint32_t>(counts * n)},
          .reference = std::move(reference),
          .tolerances = {{.ulp = 8, .absolute = 4e-6}}};
}

}  // namespace

std::vector<Case> cases_cuda_random_distributions() {
  return {{.name = "words",
           .kernel = "words",
           .launch = {.group = {n}},
           .arguments = {value(seed), zeros<std::uint32_t>(6 * n)},
           .reference = words},
          distributions("xorwow", 9, 9, 2, drawn([](std::size_t i) { return xorwowStream(seed + i); })),
          distributions("philox", 9, 9, 2, drawn([](std::size_t i) { return philoxStream(i); })),
          distributions("fours", 12, 14, 4, fours)};
}

}  // namespace lathe::conformance
