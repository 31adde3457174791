// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A library's mathematics of vectors behind core/lower/math/vector_domains.cpp, against libm in long double: any
// numbers, and those whose results are zero, infinite or none, each among others in one vector.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/accuracy/cpu_kernels.h"

namespace lathe::accuracy {
namespace {

/// Units in the last place that glibc's functions of vectors may err.
constexpr long double bound = 4;

struct Function {
  const char* name;
  long double (*exact)(long double, long double);
};
const Function functions[] = {
    {"exp", [](long double x, long double) { return std::exp(x); }},
    {"exp2", [](long double x, long double) { return std::exp2(x); }},
    {"exp10", [](long double x, long double) { return ::exp10l(x); }},
    {"log", [](long double x, long double) { return std::log(x); }},
    {"log2", [](long double x, long double) { return std::log2(x); }},
    {"log10", [](long double x, long double) { return std::log10(x); }},
    {"pow", [](long double x, long double y) { return std::pow(x, y); }},
};

template <class T>
struct Operands {
  std::vector<T> x, y;
};
template <class T>
Operands<T> operands() {
  using Limits = std::numeric_limits<T>;
  using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  const T known[] = {0,
                     1,
                     T(0.5),
                     2,
                     3,
                     T(708.5),
                     T(709.785),
                     T(745.15),
                     T(87.5),
                     T(88.725),
                     T(103.98),
                     T(126.5),
                     T(149.5),
                     T(1022.5),
                     T(1074.5),
                     T(307.8),
                     T(323.5),
                     T(38.2),
                     T(45.1),
                     T(0x1p53 - 1),
                     T(0x1p24 - 1),
                     Limits::infinity(),
                     Limits::quiet_NaN(),
                     Limits::denorm_min(),
                     Limits::min(),
                     Limits::max()};
  Operands<T> out;
  const auto add = [&](T x, T y) { out.x.push_back(x), out.y.push_back(y); };
  for (const T x : known) {
    for (const T y : known) add(x, y), add(-x, y), add(x, -y), add(-x, -y);
  }
  std::mt19937_64 engine(5);
  for (int i = 0; i < 20'000; ++i) add(std::bit_cast<T>(Bits(engine())), std::bit_cast<T>(Bits(engine())));
  std::uniform_real_distribution<T> some(-800, 800);
  std::uniform_int_distribution<int> whole(-9, 9);
  for (int i = 0; i < 20'000; ++i) add(some(engine), i % 2 ? some(engine) / 100 : T(whole(engine)));
  std::vector<std::size_t> order(out.x.size() / 256 * 256);
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::shuffle(order.begin(), order.end(), engine);
  Operands<T> mixed;
  for (const std::size_t i : order) mixed.x.push_back(out.x[i]), mixed.y.push_back(out.y[i]);
  return mixed;
}

/// How far `got` is from `exact` in the last place of its type; nothing may be wrong about NaN, infinities and zeros.
template <class T>
long double errorOf(T got, long double exact) {
  if (std::isnan(exact)) return std::isnan(got) ? 0 : HUGE_VALL;
  const T rounded = T(exact);
  if (got == rounded) return rounded != 0 || std::signbit(got) == std::signbit(rounded) ? 0 : HUGE_VALL;
  if (std::isinf(exact) || exact == 0 || std::isinf(rounded) != std::isinf(got) || std::isnan(got)) return HUGE_VALL;
  const T next =
      std::nextafter(rounded, rounded < got ? std::numeric_limits<T>::infinity() : -std::numeric_limits<T>::infinity());
  return std::fabs((static_cast<long double>(got) - exact) / (static_cast<long double>(next) - rounded));
}

class VectorDomains : public CpuKernels {
 protected:
  template <class T>
  void expectLibmsResults(const char* type, const char* suffix);
};

template <class T>
void VectorDomains::expectLibmsResults(const char* type, const char* suffix) {
  std::string source;
  for (const Function& function : functions) {
    source += fmt::format(
        "extern \"C\" __global__ void of_{0}(const {1}* __restrict__ x, const {1}* __restrict__ y, {1}* __restrict__ "
        "out)\n"
        "{{ const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;  out[i] = {0}{2}(x[i]{3}); }}\n",
        function.name, type, suffix, std::string_view(function.name) == "pow" ? ", y[i]" : "");
  }
  load(source);
  if (IsSkipped() || HasFatalFailure()) return;
  const Operands<T> all = operands<T>();
  std::vector<T> results(all.x.size());
  for (const Function& function : functions) {
    ASSERT_NO_FATAL_FAILURE(run(std::string("of_") + function.name, {&all.x, &all.y}, results));
    long double worst = 0;
    std::size_t at = 0;
    for (std::size_t i = 0; i < all.x.size(); ++i) {
      const long double error = errorOf(results[i], function.exact(all.x[i], all.y[i]));
      if (error > worst) worst = error, at = i;
    }
    EXPECT_LE(worst, bound) << function.name << suffix << '(' << all.x[at] << ", " << all.y[at] << ") is "
                            << results[at] << " and not " << function.exact(all.x[at], all.y[at]);
  }
}

TEST_P(VectorDomains, AreLibmsOfDoubles) {
  expectLibmsResults<double>("double", "");
}
TEST_P(VectorDomains, AreLibmsOfFloats) {
  expectLibmsResults<float>("float", "f");
}
INSTANTIATE_TEST_SUITE_P(On, VectorDomains, testing::Values("x86-64-v2", "x86-64-v3", "x86-64-v4", "native"));

}  // namespace
}  // namespace lathe::accuracy
