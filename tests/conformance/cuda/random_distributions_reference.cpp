// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of random_distributions.cu, from the generators' words: Philox's counters, Marsaglia's xorwow and
// L'Ecuyer's MRG32k3a with the seeds that cuRAND gives them. Uniform numbers are in (0, 1] (cuRAND's guide, "Device API
// overview"); normal ones are Box and Muller's, of 1958, or the inverse of their distribution; Poisson's are Knuth's
// products
// ("Seminumerical Algorithms", 3.4.1), for larger means those that rejection leaves, for the largest rounded normal
// ones.
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

/// A generator's words, and its uniform numbers: not all make them in one way.
struct Source {
  Stream word;
  std::function<double()> uniform, uniformWide;
};
double half(std::uint32_t word) {
  return std::ldexp(word + 0.5, -32);
}
double wideOf(const Stream& next) {
  const std::uint64_t x = next(), y = next();
  return std::ldexp(static_cast<double>(x ^ y << 21) + 0.5, -53);
}
Source ofWords(const Stream& next) {
  return {next, [=] { return half(next()); }, [=] { return wideOf(next); }};
}
/// A double of Philox's takes one word.
Source philoxSource(std::uint64_t sequence) {
  const auto next = std::make_shared<Stream>(philoxStream(sequence));
  const Stream word = [=] { return (*next)(); };
  return {word, [=] { return half(word()); }, [=] { return std::ldexp(word() + 1.0, -32); }};
}
Source xorwowSource(std::uint64_t from) {
  const auto next = std::make_shared<Stream>(xorwowStream(from));
  return ofWords([=] { return (*next)(); });
}
Source mrgSource(std::uint64_t from) {
  constexpr std::uint64_t m1 = 4294967087, m2 = 4294944443;
  const std::uint64_t low = (from & 0xffffffff) ^ 0x55555555, high = from >> 32 ^ 0xaaaaaaaa;
  std::array<std::uint64_t, 3> a = {low * 12345 % m1, high * 12345 % m1, low * 12345 % m1};
  std::array<std::uint64_t, 3> b = {high * 12345 % m2, low * 12345 % m2, high * 12345 % m2};
  const auto whole = [a, b]() mutable {
    a = {a[1], a[2], (1403580 * a[1] + (m1 - 810728) * a[0] % m1) % m1};
    b = {b[1], b[2], (527612 * b[2] + (m2 - 1370589) * b[0] % m2) % m2};
    return static_cast<double>(a[2] > b[2] ? a[2] - b[2] : a[2] + m1 - b[2]);
  };
  const auto shared = std::make_shared<std::function<double()>>(whole);
  const auto uniform = [=] { return (*shared)() * 2.3283065498378288e-10; };
  return {[=] { return static_cast<std::uint32_t>((*shared)() * 1.000000048662); }, uniform, uniform};
}

std::array<double, 2> normals(double u, double v) {
  const double radius = std::sqrt(-2 * std::log(u)), angle = 2 * std::acos(-1.0) * v;
  return {radius * std::sin(angle), radius * std::cos(angle)};
}
std::array<double, 2> normals(const Source& s) {
  const double u = s.uniform();
  return normals(u, s.uniform());
}
/// `grouped`: of four words, also where a number of its own takes one.
std::array<double, 2> normalsWide(const Source& s, bool grouped) {
  const double u = grouped ? wideOf(s.word) : s.uniformWide();
  return normals(u, grouped ? wideOf(s.word) : s.uniformWide());
}
double logOf(double normal) {
  return std::exp(0.25 + 0.5 * normal);
}
/// The share of gamma numbers of shape `a` below x, as cuRAND approximates it.
double gammaShare(double a, double x) {
  const double slope = 1.43248035 / std::sqrt(a - 0.124009793) + 0.000253610749;
  const double shift = 0.210967349 / std::sqrt(a - 1.97381164) + 0.942017341;
  const double root = 1 + std::exp(slope * (a - x) - shift);
  return 1 / (root * root);
}
std::uint32_t poisson(const Source& s, double mean) {
  std::uint32_t count = 0;
  if (mean < 64) {
    for (double product = s.uniform(); product > std::exp(-mean); ++count) product *= s.uniform();
    return count;
  }
  while (true) {
    // The inverse by bisection.
    const double y = s.uniform();
    double low = 0, high = 4 * mean;
    for (int i = 0; i < 80; ++i) (gammaShare(mean, (low + high) / 2) < y ? low : high) = (low + high) / 2;
    const double x = std::floor(low);
    const double envelope = 1.3 * (gammaShare(mean, x + 1) - gammaShare(mean, x));
    if (s.uniform() * envelope < std::exp(-mean + x * std::log(mean) - std::lgamma(x + 1)))
      return static_cast<std::uint32_t>(x);
  }
}

void words(Arguments& a, const DeviceInfo&) {
  for (std::size_t i = 0; i < n; ++i) {
    std::uint32_t* const row = a[1].as<std::uint32_t>() + 6 * i;
    for (std::size_t k = 0; k < 5; ++k) row[k] = philoxWord(seed, i, i % 5 + k);
    row[5] = philoxWord(seed, i + 2, i % 5 + 5);
  }
}

template <class MakeSource>
std::function<void(Arguments&, const DeviceInfo&)> drawn(bool grouped, const MakeSource& stream) {
  return [=](Arguments& a, const DeviceInfo&) {
    for (std::size_t i = 0; i < n; ++i) {
      float* const single = a[1].as<float>() + 9 * i;
      double* const wide = a[2].as<double>() + 9 * i;
      const Source one = stream(i), two = stream(i), three = stream(i), four = stream(i);
      const auto first = normals(one), second = normals(one);
      const auto firstWide = normalsWide(two, grouped), secondWide = normalsWide(two, grouped);
      const std::array<double, 9> singles = {stream(i).uniform(), first[0],        first[1],
                                             second[0],           first[0],        first[1],
                                             logOf(first[0]),     logOf(first[0]), logOf(first[1])};
      std::copy(singles.begin(), singles.end(), single);
      const std::array<double, 9> wides = {stream(i).uniformWide(), firstWide[0],        firstWide[1],
                                           secondWide[0],           firstWide[0],        firstWide[1],
                                           logOf(firstWide[0]),     logOf(firstWide[0]), logOf(firstWide[1])};
      std::copy(wides.begin(), wides.end(), wide);
      a[3].as<std::uint32_t>()[2 * i] = poisson(three, 4);
      a[3].as<std::uint32_t>()[2 * i + 1] = poisson(four, 400);
    }
  };
}

void fours(Arguments& a, const DeviceInfo&) {
  for (std::size_t i = 0; i < n; ++i) {
    const Source one = philoxSource(i), two = philoxSource(i), three = philoxSource(i), four = philoxSource(i);
    float* const single = a[1].as<float>() + 12 * i;
    for (std::size_t k = 0; k < 4; ++k) single[k] = static_cast<float>(one.uniform());
    for (std::size_t k = 0; k < 4; k += 2) {
      const auto pair = normals(two);
      for (std::size_t part = 0; part < 2; ++part) {
        single[4 + k + part] = static_cast<float>(pair[part]);
        single[8 + k + part] = static_cast<float>(logOf(pair[part]));
      }
    }
    double* const wide = a[2].as<double>() + 14 * i;
    for (std::size_t k = 0; k < 4; ++k) wide[2 + k] = wideOf(three.word);
    std::copy_n(wide + 2, 2, wide);
    const Source five = philoxSource(i);
    for (std::size_t k = 0; k < 4; k += 2) {
      const auto pair = normalsWide(five, true);
      for (std::size_t part = 0; part < 2; ++part) {
        wide[6 + k + part] = pair[part];
        wide[10 + k + part] = logOf(pair[part]);
      }
    }
    for (std::size_t k = 0; k < 4; ++k) a[3].as<std::uint32_t>()[4 * i + k] = poisson(four, 4);
  }
}

void kept(Arguments& a, const DeviceInfo&) {
  for (std::size_t i = 0; i < n; ++i) {
    const Source s = philoxSource(i);
    float* const f = a[1].as<float>() + 5 * i;
    double* const d = a[2].as<double>() + 5 * i;
    f[0] = static_cast<float>(normals(s)[0]);  // its second is dropped
    const auto wide = normalsWide(s, true);
    const auto logs = normals(s);
    d[0] = wide[0], d[1] = wide[1];
    f[1] = static_cast<float>(logOf(logs[0])), f[2] = static_cast<float>(logOf(logs[1]));
    d[2] = logOf(normalsWide(s, true)[0]);
    const auto last = normals(s);
    f[3] = static_cast<float>(last[0]), f[4] = static_cast<float>(last[1]);
    d[3] = normalsWide(s, true)[0];
    d[4] = s.uniformWide();
    a[3].as<std::uint32_t>()[i] = s.word();
  }
}

/// The normal number below which the share p of them is, by bisection; of the upper half by its mirror.
double normalOf(double p, bool isUpper) {
  double low = -10, high = 10;
  for (int k = 0; k < 100; ++k) (std::erfc(-(low + high) / 2 / std::sqrt(2.0)) / 2 < p ? low : high) = (low + high) / 2;
  return isUpper ? -low : low;
}
/// The least count whose distribution reaches u.
std::uint32_t poissonOf(double u, double mean) {
  double sum = 0;
  for (std::uint32_t k = 0;; ++k) {
    sum += mean == 0 ? k == 0 : std::exp(k * std::log(mean) - mean - std::lgamma(k + 1.0));
    if (sum >= u) return k;
  }
}
void steps(Arguments& a, const DeviceInfo&) {
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t word = i == 0 ? ~0U : i == 1 ? 0U : i * 0x9e3779b9U;
    const bool isUpper = word > 0x80000000U;
    const std::uint32_t mirrored = isUpper ? ~word : word;
    const std::uint64_t words = std::uint64_t{word} << 32 | 0x89abcdefU, both = isUpper ? ~words : words;
    float* const f = a[1].as<float>() + std::size_t{6} * i;
    double* const d = a[2].as<double>() + std::size_t{6} * i;
    std::uint32_t* const counts = a[3].as<std::uint32_t>() + std::size_t{8} * i;
    d[0] = normalOf(half(mirrored), isUpper);
    d[1] = normalOf(std::ldexp(static_cast<double>(both >> 11) + 0.5, -53), isUpper);
    f[0] = f[1] = static_cast<float>(d[0]);
    constexpr std::array<double, 5> means = {0, 0.1, 3, 70, 700};
    for (std::size_t k = 0; k < means.size(); ++k) counts[k] = poissonOf(half(word), means[k]);
    counts[5] = static_cast<std::uint32_t>(std::sqrt(5000.0) * d[0] + 5000.5);
    counts[6] = poissonOf(half(word), 4);
    counts[7] = poissonOf(std::ldexp(static_cast<double>(words >> 11) + 0.25, -53), 4);
    const Source s = philoxSource(i);
    const auto pair = normals(s), wide = normalsWide(s, true), first = normals(s), second = normals(s);
    const auto firstWide = normalsWide(s, true), secondWide = normalsWide(s, true);
    f[2] = static_cast<float>(pair[0]), f[3] = static_cast<float>(pair[1]);
    f[4] = static_cast<float>(first[1]), f[5] = static_cast<float>(second[0]);
    d[2] = wide[0], d[3] = wide[1], d[4] = firstWide[1], d[5] = secondWide[0];
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
          distributions("xorwow", 9, 9, 2, drawn(false, [](std::size_t i) { return xorwowSource(seed + i); })),
          distributions("philox", 9, 9, 2, drawn(true, [](std::size_t i) { return philoxSource(i); })),
          distributions("mrg32k3a", 9, 9, 2, drawn(false, [](std::size_t i) { return mrgSource(seed + i); })),
          distributions("kept", 5, 5, 1, kept),
          distributions("steps", 6, 6, 8, steps),
          distributions("fours", 12, 14, 4, fours),
          {.name = "same_steps",
           .kernel = "sameSteps",
           .launch = {.group = {n}},
           .arguments = {value(seed), zeros<int>(6 * n)},
           .reference = [](Arguments& a, const DeviceInfo&) { std::fill_n(a[1].as<int>(), 6 * n, 1); }}};
}

}  // namespace lathe::conformance
