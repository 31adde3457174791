// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lathe's own mathematics of vectors (core/device/vector_math.cpp) on this machine, in the forms that it can run,
// against libm in double: any floats, which are numbers of all sizes, NaN and infinities, and the ends of the ranges.
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

struct Function {
  const char* name;
  double (*exact)(double);
  double bound;  ///< in units of the last place
};
const Function functions[] = {
    {"cos", std::cos, 2},   {"erf", std::erf, 2},   {"erfc", std::erfc, 4}, {"exp", std::exp, 1.2},
    {"exp2", std::exp2, 1}, {"log", std::log, 1.1}, {"log2", std::log2, 2}, {"sin", std::sin, 2},
};

std::vector<float> operands() {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  std::vector<float> out = {0.0f,      1.0f,      infinity,  std::numeric_limits<float>::quiet_NaN(),
                            0x1p-149f, 0x1p-127f, 0x1p-126f, std::numeric_limits<float>::max()};
  // What a function rounds to zero, to one or to infinity from.
  for (const float edge : {3.919f, 3.95f, 0.95f, 10.05f, 10.1f, 88.72f, 87.34f, 103.98f, 104.5f, 128.0f, 126.0f, 149.5f,
                           151.0f, 199999.0f, 200001.0f, 1e10f}) {
    out.push_back(std::nextafterf(edge, 0.0f));
    out.push_back(edge);
    out.push_back(std::nextafterf(edge, infinity));
  }
  std::mt19937 engine(11);
  while (out.size() < 30'000) out.push_back(std::fabs(std::bit_cast<float>(std::uint32_t(engine()))));
  while (out.size() < 60'000)
    out.push_back(std::ldexp(1.0f + float(engine() >> 9) * 0x1p-23f, int(engine() % 40) - 30));
  const std::size_t half = out.size();
  for (std::size_t i = 0; i < half; ++i) out.push_back(-out[i]);
  out.resize((out.size() + 255) / 256 * 256, 1.0f);
  return out;
}

/// How far `got` is from `exact` in the last place of its float; nothing may be wrong about NaN, infinities and zeros.
double errorOf(float got, double exact) {
  if (std::isnan(exact)) return std::isnan(got) ? 0 : HUGE_VAL;
  const float rounded = float(exact);
  if (got == rounded) return rounded != 0 || std::signbit(got) == std::signbit(rounded) ? 0 : HUGE_VAL;
  if (std::isinf(exact) || exact == 0) return HUGE_VAL;
  // A float's neighbour at the end of its range is as far as any.
  constexpr int digits = 24, least = -149;
  const double unit = std::ldexp(1.0, std::max(std::ilogb(exact) - digits + 1, least));
  const double far = std::isinf(got) ? std::copysign(0x1p128, got) : double(got);
  return std::fabs(far - exact) / unit;
}

class VectorMath : public CpuKernels {};

TEST_P(VectorMath, OfAnyFloats) {
  std::string source;
  for (const Function& function : functions) {
    source += fmt::format(
        "extern \"C\" __global__ void of_{0}(const float* __restrict__ x, float* __restrict__ out) {{\n"
        "  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;\n  out[i] = {0}f(x[i]);\n}}\n",
        function.name);
  }
  load(source);
  if (IsSkipped() || HasFatalFailure()) return;
  const std::vector<float> x = operands();
  std::vector<float> results(x.size());
  for (const Function& function : functions) {
    ASSERT_NO_FATAL_FAILURE(run(std::string("of_") + function.name, {&x}, results));
    double worst = 0;
    std::size_t at = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double error = errorOf(results[i], function.exact(double(x[i])));
      if (error > worst) worst = error, at = i;
    }
    EXPECT_LE(worst, function.bound) << function.name << '(' << x[at] << ") is " << results[at] << " and not "
                                     << function.exact(double(x[at]));
  }
}

/// With and without an instruction that scales, and in vectors of each width.
INSTANTIATE_TEST_SUITE_P(On, VectorMath, testing::Values("x86-64-v3", "x86-64-v4", "native"));

}  // namespace
}  // namespace lathe::accuracy
