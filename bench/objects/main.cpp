// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of a linked object, beside the same text compiled by `clang -O3` for the same processor. Which one goes
// first alternates.
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "bench/measure.h"

extern "C" {
#define BOTH(result, name, ...)     \
  result lathe_##name(__VA_ARGS__); \
  result clang_##name(__VA_ARGS__);
BOTH(float, dot, const float*, const float*, unsigned)
BOTH(void, axpy, float*, const float*, float, unsigned)
BOTH(unsigned, checksum, const unsigned*, unsigned)
BOTH(unsigned, hash, const unsigned*, unsigned)
BOTH(void, prefix, const float*, float*, unsigned)
BOTH(void, stencil, const float*, float*, unsigned)
BOTH(void, multiply, const float*, const float*, float*, unsigned)
BOTH(unsigned, search, const unsigned*, unsigned, unsigned)
BOTH(void, sort, unsigned*, unsigned)
BOTH(unsigned, collatz, unsigned)
BOTH(float, horner, const float*, unsigned, float)
BOTH(void, histogram, const unsigned*, unsigned, unsigned*)
#undef BOTH
}

namespace lathe::bench {
namespace {

/// One function by both compilers, on equal data; each gives what tells whether it is right.
struct Case {
  const char* name;
  std::function<double()> ours, theirs;
};

constexpr unsigned size = 4096, side = 48;

struct Data {
  std::vector<float> a, b, out;
  std::vector<unsigned> numbers, work;

  Data() : a(size), b(size), out(size), numbers(size), work(256) {
    for (unsigned i = 0; i < size; ++i) {
      a[i] = static_cast<float>(i % 17) * 0.25f - 1;
      b[i] = static_cast<float>(i % 13) * 0.5f - 2;
      numbers[i] = i * 2654435761u;
    }
  }
};

template <class Ours, class Theirs, class Call>
Case make(const char* name, Ours* ours, Theirs* theirs, Call call) {
  return {name, [=] { return static_cast<double>(call(ours)); }, [=] { return static_cast<double>(call(theirs)); }};
}

std::vector<Case> cases(Data& data) {
  const auto sum = [](const auto& values) { return std::accumulate(values.begin(), values.end(), 0.0); };
  float* const out = data.out.data();
  const float *const a = data.a.data(), *const b = data.b.data();
  const unsigned* const numbers = data.numbers.data();
#define CASE(name, ...) make(#name, lathe_##name, clang_##name, [=, &data](auto* function) { __VA_ARGS__ })
  std::vector<Case> all = {
    CASE(dot, return function(a, b, size);),
    CASE(axpy, data.out = data.a; function(out, b, 0.5f, size); return sum(data.out);),
    CASE(checksum, return function(numbers, size);),
    CASE(hash, return function(numbers, size);),
    CASE(prefix, function(a, out, size); return out[size - 1];),
    CASE(stencil, function(a, out, size); return out[size / 2];),
    CASE(multiply, function(a, b, out, side); return out[side + 1];),
    CASE(search, unsigned found = 0;
         for (unsigned key = 0; key < 64; ++key) found += function(data.work.data(), 256, key * 7); return found;),
    CASE(sort, for (unsigned i = 0; i < 256; ++i) data.work[i] = numbers[i]; function(data.work.data(), 256);
         return data.work[128];),
    CASE(collatz, unsigned steps = 0; for (unsigned i = 1; i < 64; ++i) steps += function(i); return steps;),
    CASE(horner, return function(a, 64, 0.5f);),
    CASE(histogram, data.work.assign(256, 0); function(numbers, size, data.work.data()); return data.work[7];),
  };
#undef CASE
  return all;
}

int compare(unsigned samples) {
  header("Functions of a linked object, and by clang -O3 (µs)",
         std::array<std::string, 4>{"function", "Lathe", "clang", "speed of clang's"});
  Data data;
  std::vector<double> ratios;
  for (const Case& one : cases(data)) {
    const double expected = one.theirs();
    const double got = one.ours();
    if (std::abs(got - expected) > 1e-4 * (1 + std::abs(expected))) fail(std::string(one.name) + " is wrong");
    unsigned repeats = 1;
    const auto time = [&](const std::function<double()>& function) {
      double used = 0;
      const double whole = milliseconds([&] {
        for (unsigned i = 0; i < repeats; ++i) used += function();
      });
      return used == 0.125 ? 0 : 1000 * whole / repeats;  // the results are needed
    };
    constexpr double leastMs = 2;
    while (time(one.theirs) * repeats < leastMs * 1000) repeats *= 2;
    std::vector<double> ours, theirs;
    for (unsigned sample = 0; sample < samples; ++sample) {
      if (sample % 2 == 0) ours.push_back(time(one.ours));
      theirs.push_back(time(one.theirs));
      if (sample % 2 != 0) ours.push_back(time(one.ours));
    }
    const Summary lathe = summarise(ours), clang = summarise(theirs);
    ratios.push_back(clang.least / lathe.least);
    row(std::array<std::string, 4>{one.name, text(lathe), text(clang), text(ratios.back())});
  }
  say("Of the least times, geometric mean: " + atLeast(geometricMean(ratios), 0.98) + ".");
  return 0;
}

}  // namespace
}  // namespace lathe::bench

int main(int count, char** arguments) {
  const std::vector<std::string> words(arguments + 1, arguments + count);
  lathe::bench::say("## Functions of objects");
  return lathe::bench::compare(lathe::bench::option(words, "--samples", 31));
}
