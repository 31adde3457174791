// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of small_float_functions.cu: the host's function of the same number, rounded. A result may be one step of
// the format away from that, which CUDA's own versions are too for some numbers ("Half Math Functions" of its Math API
// says two units for most); the approximate hyperbolic tangent is eight or so (PTX ISA, "tanh": 2^-10.987).
#include <array>

#include "tests/conformance/suite/case.h"
#include "tests/conformance/suite/small_float.h"

namespace lathe::conformance {
namespace {

constexpr std::size_t n = 128;
struct Function {
  double (*of)(double);
  int steps;
};
const std::array<Function, 17> functions = {{{std::ceil, 0},
                                             {std::floor, 0},
                                             {std::nearbyint, 0},
                                             {std::trunc, 0},
                                             {std::cos, 1},
                                             {std::sin, 1},
                                             {std::exp, 1},
                                             {std::exp2, 1},
                                             {[](double x) { return std::pow(10, x); }, 1},
                                             {std::log, 1},
                                             {std::log2, 1},
                                             {std::log10, 1},
                                             {[](double x) { return 1 / x; }, 1},
                                             {[](double x) { return 1 / std::sqrt(x); }, 1},
                                             {std::sqrt, 1},
                                             {std::tanh, 1},
                                             {std::tanh, 2}}};

template <const SmallFloat& format>
void reference(Arguments& a, const DeviceInfo&) {
  float* out = a[1].as<float>();
  for (const Function& function : functions)
    for (int form = 0; form < 3; ++form)
      for (std::size_t i = 0; i < n; ++i) {
        const float from = a[0].as<float>()[form == 2 ? n - 1 - i : i];
        *out++ = static_cast<float>(format.value(format.bits(function.of(format.value(format.bits(from))))));
      }
}

/// Results that are within the function's steps of the reference's become it.
template <const SmallFloat& format>
struct Steps {
  std::vector<float> wanted;
  void operator()(Arguments& a) const {
    float* const got = a[1].as<float>();
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const float want = wanted[i];
      if (std::isnan(want) || std::isnan(got[i]) || got[i] == want) continue;
      const auto away =
          std::abs(static_cast<int>(format.bits(std::fabs(got[i]))) - static_cast<int>(format.bits(std::fabs(want))));
      const bool sameSign = std::signbit(got[i]) == std::signbit(want) || want == 0 || got[i] == 0;
      if (sameSign && away <= functions[i / (3 * n)].steps) got[i] = want;
    }
  }
};

template <const SmallFloat& format>
Case makeCase(const char* name, const char* kernel) {
  std::vector<float> in;
  for (const std::int32_t bits : scrambled<std::int32_t>(n, 931))
    in.push_back(static_cast<float>(std::ldexp(bits % 1024, static_cast<int>(in.size() % 12) - 14)));
  const float edge[] = {0,
                        -0.0F,
                        1,
                        -1,
                        0.5F,
                        2.5F,
                        3.5F,
                        -0.5F,
                        HUGE_VALF,
                        -HUGE_VALF,
                        std::numeric_limits<float>::quiet_NaN(),
                        static_cast<float>(format.largest()),
                        static_cast<float>(format.value(1)),
                        3.140625F,
                        1.5703125F,
                        100};
  std::copy(std::begin(edge), std::end(edge), in.begin());
  Case out = {.name = name,
              .kernel = kernel,
              .launch = {.grid = {n / 64}, .group = {64}},
              .arguments = {array(in), zeros<float>(3 * n * functions.size()), value(static_cast<int>(n))},
              .reference = reference<format>};
  Arguments want = out.arguments;
  out.reference(want, {});
  out.normalise = Steps<format>{{want[1].as<float>(), want[1].as<float>() + want[1].count()}};
  return out;
}

}  // namespace

std::vector<Case> cases_cuda_small_float_functions() {
  return {makeCase<half>("half", "halves"), makeCase<bfloat>("bfloat16", "bfloats")};
}

}  // namespace lathe::conformance
