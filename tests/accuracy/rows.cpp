// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/accuracy/rows.h"

#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace lathe::accuracy {
namespace {

using Bounds = std::array<std::array<double, 2>, libraries>;
constexpr std::array<const Format*, 2> wide = {&float32, &float64}, small = {&float16, &bfloat16};

std::vector<Row> allRows() {
  std::vector<Row> out;
  const auto add = [&](const char* name, unsigned operands, double low, double high, Measure measure, Bounds bounds) {
    // CUDA's maxima are distances from the correctly rounded result, which is up to half a unit from the exact one.
    for (double& bound : bounds[1])
      if (measure == Measure::places && bound >= 1) bound += 0.5;
    out.push_back({name, wide, {std::string(name) + "f", name}, name, operands, low, high, measure, MPFR_RNDN, bounds});
  };
  const auto addFloat = [&](const char* name, const char* reference, unsigned operands, double low, double high,
                            Measure measure, Bounds bounds) {
    out.push_back({name, wide, {name, ""}, reference, operands, low, high, measure, MPFR_RNDN, bounds});
  };
  const auto addRounded = [&](const char* operation, const std::string& f32, const std::string& f64,
                              unsigned operands) {
    constexpr std::pair<const char*, mpfr_rnd_t> modes[] = {
        {"_rn", MPFR_RNDN}, {"_rd", MPFR_RNDD}, {"_ru", MPFR_RNDU}, {"_rz", MPFR_RNDZ}};
    for (const auto& [suffix, mode] : modes) {
      out.push_back({f32 + suffix + "`, `" + f64 + suffix,
                     wide,
                     {f32 + suffix, f64 + suffix},
                     operation,
                     operands,
                     0,
                     0,
                     Measure::exact,
                     mode,
                     {}});
    }
  };
  const auto addSmall = [&](const char* name, const char* reference, unsigned operands, double low, double high,
                            Measure measure, double half, double bfloat) {
    const std::array<double, 2> bound = {half, bfloat};
    out.push_back(
        {name, small, {name, name}, reference, operands, low, high, measure, MPFR_RNDN, {bound, bound, bound, bound}});
  };
  const auto changeOpenCl = [&](std::string_view name, double f32, double f64) {
    for (Row& row : out)
      if (row.name == name) row.bounds[static_cast<std::size_t>(Library::opencl)] = {f32, f64};
  };
  // Devices of OpenCL keep what libclc keeps.
#define LATHE_BOUNDS(a, b, c, d, e, f) (Bounds{{{a, b}, {c, d}, {e, f}, {e, f}}})
#define LATHE_ACCURACY_OPENCL(name, f32, f64) changeOpenCl(#name, f32, f64);
#define LATHE_ACCURACY(name, operands, low, high, a, b, c, d, e, f) \
  add(#name, operands, low, high, Measure::places, LATHE_BOUNDS(a, b, c, d, e, f));
#define LATHE_ACCURACY_NEAR(name, operands, low, high, a, b, c, d, e, f) \
  add(#name, operands, low, high, Measure::absolute, LATHE_BOUNDS(a, b, c, d, e, f));
#define LATHE_ACCURACY_FLOAT(name, reference, operands, low, high, a, b, c) \
  addFloat(#name, #reference, operands, low, high, Measure::places, LATHE_BOUNDS(a, 0, b, 0, c, 0));
#define LATHE_ACCURACY_FLOAT_NEAR(name, reference, operands, low, high, a, b, c) \
  addFloat(#name, #reference, operands, low, high, Measure::absolute, LATHE_BOUNDS(a, 0, b, 0, c, 0));
#define LATHE_ACCURACY_ROUNDED(operation, f32, f64, operands) addRounded(#operation, #f32, #f64, operands);
#define LATHE_SMALL_EXACT(name, reference, operands) addSmall(#name, #reference, operands, 0, 0, Measure::exact, 0, 0);
#define LATHE_SMALL_ACCURACY(name, reference, low, high, half, bfloat) \
  addSmall(#name, #reference, 1, low, high, Measure::places, half, bfloat);
#include "tests/accuracy/accuracy.def"
#include "tests/accuracy/small.def"
  return out;
}

}  // namespace

std::string Row::range() const {
  return low == 0 && high == 0 ? "all" : fmt::format("{:g} … {:g}", low, high);
}

std::span<const Row> rows() {
  static const std::vector<Row> all = allRows();
  return all;
}

const char* const deviceHelpers = R"(
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#define BOTH(T, f)                                                                                    \
  __device__ T sincos_sin##f(T x) { T s, c; sincos##f(x, &s, &c); return s; }                         \
  __device__ T sincos_cos##f(T x) { T s, c; sincos##f(x, &s, &c); return c; }                         \
  __device__ T sincospi_sin##f(T x) { T s, c; sincospi##f(x, &s, &c); return s; }                     \
  __device__ T sincospi_cos##f(T x) { T s, c; sincospi##f(x, &s, &c); return c; }                     \
  __device__ T frexp_fraction##f(T x) { int e; return frexp##f(x, &e); }                              \
  __device__ T frexp_exponent##f(T x) { int e; frexp##f(x, &e); return e; }                           \
  __device__ T modf_whole##f(T x) { T whole; modf##f(x, &whole); return whole; }                      \
  __device__ T modf_fraction##f(T x) { T whole; return modf##f(x, &whole); }                          \
  __device__ T remquo_quotient##f(T x, T y) { int q; remquo##f(x, y, &q); return q; }                 \
  __device__ T remquo##f(T x, T y) { int q; return remquo##f(x, y, &q); }                             \
  __device__ T norm##f(T x, T y, T z) { const T v[] = {x, y, z}; return norm##f(3, v); }              \
  __device__ T rnorm##f(T x, T y, T z) { const T v[] = {x, y, z}; return rnorm##f(3, v); }            \
  __device__ T jn_3##f(T x) { return jn##f(3, x); }                                                   \
  __device__ T jn_128##f(T x) { return jn##f(128, x); }                                               \
  __device__ T yn_3##f(T x) { return yn##f(3, x); }
BOTH(float, f)
BOTH(double, )
#undef BOTH
)";

}  // namespace lathe::accuracy
