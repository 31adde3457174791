// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of small_float_compare.cu: the host's comparisons of the same numbers as doubles. CUDA Math API, "Half
// Comparison Functions": ordered ones are false where one is not a number (not-equal too), unordered ones true; the
// operators are those of C++.
#include "tests/conformance/suite/case.h"
#include "tests/conformance/suite/small_float.h"

namespace lathe::conformance {
namespace {

constexpr std::size_t n = 576, functions = 58 + 9;

template <const SmallFloat& format>
void reference(Arguments& a, const DeviceInfo&) {
  const auto *const x = a[0].as<std::uint32_t>(), *const y = a[1].as<std::uint32_t>();
  for (std::size_t i = 0; i < n; ++i) {
    std::uint32_t* out = a[2].as<std::uint32_t>() + i;
    const auto put = [&](std::uint32_t word) {
      *out = word;
      out += n;
    };
    const auto low = [](std::uint32_t word) { return word & 0xffff; };
    const double u[] = {format.value(low(x[i])), format.value(x[i] >> 16)};
    const double v[] = {format.value(low(y[i])), format.value(y[i] >> 16)};
    const bool unordered[] = {std::isnan(u[0]) || std::isnan(v[0]), std::isnan(u[1]) || std::isnan(v[1])};
    const auto one = format.bits(1);
    const auto forms = [&](bool first, bool second) {
      put((first ? 1U : 0U) | (second ? 2U : 0U));
      put((first ? one : 0U) | (second ? one << 16 : 0U));
      put((first ? 0xffffU : 0U) | (second ? 0xffff0000U : 0U));
      put(first && second);
    };
    const auto both = [&](const auto& holds) {
      forms(!unordered[0] && holds(u[0], v[0]), !unordered[1] && holds(u[1], v[1]));
      forms(unordered[0] || holds(u[0], v[0]), unordered[1] || holds(u[1], v[1]));
    };
    const auto operators = [&](const auto& holds) {
      const bool first = holds(u[0], v[0]), second = holds(u[1], v[1]);
      put((first ? 1U : 0U) | (second ? 2U : 0U) | (first && second ? 4U : 0U));
    };
    both([](double p, double q) { return p == q; });
    both([](double p, double q) { return p != q; });
    both([](double p, double q) { return p < q; });
    both([](double p, double q) { return p <= q; });
    both([](double p, double q) { return p > q; });
    both([](double p, double q) { return p >= q; });
    operators([](double p, double q) { return p == q; });
    operators([](double p, double q) { return p != q; });
    operators([](double p, double q) { return p < q; });
    operators([](double p, double q) { return p <= q; });
    operators([](double p, double q) { return p > q; });
    operators([](double p, double q) { return p >= q; });
    const bool nan[] = {std::isnan(u[0]), std::isnan(u[1])};
    put((nan[0] ? 1U : 0U) | (nan[1] ? 2U : 0U));
    put((nan[0] ? one : 0U) | (nan[1] ? one << 16 : 0U));
    const auto infinite = [](double p) { return std::isinf(p) ? (p > 0 ? 1U : 0xffffffffU) : 0U; };
    put(infinite(u[0]) << 16 | low(infinite(u[1])));
    put(x[i] << 16 | x[i] >> 16);
    // Pairs put together: of the lower halves, of the upper ones, …
    put(low(x[i]) * 0x10001U);
    put((x[i] >> 16) * 0x10001U);
    put(low(x[i]) | y[i] << 16);
    put(x[i] >> 16 | (y[i] & 0xffff0000U));
    put(low(x[i]) | (y[i] & 0xffff0000U));
    put(y[i] >> 16 | x[i] << 16);
    put((x[i] >> 16) * 0x10001U);
    put(x[i] << 16 | low(y[i]));
    put(x[i]);
  }
}

template <const SmallFloat& format>
Case makeCase(const char* name, const char* kernel) {
  return {.name = name,
          .kernel = kernel,
          .launch = {.grid = {n / 64}, .group = {64}},
          .arguments = {array(cornerWords(format, n, 1, scrambled<std::uint32_t>(n, 911))),
                        array(cornerWords(format, n, corners(format).size(), scrambled<std::uint32_t>(n, 912))),
                        zeros<std::uint32_t>(n * functions), value(static_cast<int>(n))},
          .reference = reference<format>};
}

}  // namespace

std::vector<Case> cases_cuda_small_float_compare() {
  return {makeCase<half>("half", "halves"), makeCase<bfloat>("bfloat16", "bfloats")};
}

}  // namespace lathe::conformance
