// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of basics.cpp.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "tests/conformance/suite/case.h"

namespace lathe::conformance {
namespace {

struct Inner {
  signed char tag;
  double weight;
};
struct Outer {
  Inner inner;
  unsigned short counts[3];
  int last;
};

template <class T>
Case axpyCase(const std::string& type, unsigned n) {
  return {.name = "axpy_" + type,
          .kernel = "axpy<" + type + ">",
          .launch = {.grid = {(n + 63) / 64}, .group = {64}},
          .arguments = {value(n), value(T(3)), counting<T>(n), counting<T>(n, T(2))},
          .reference = [n](Arguments& a, const DeviceInfo&) {
            for (unsigned i = 0; i < n; ++i) a[3].as<T>()[i] = 3 * a[2].as<T>()[i] + a[3].as<T>()[i];
          }};
}

void sumsReference(Arguments& a, const DeviceInfo&) {
  for (int g = 0; g < 5; ++g) {
    const int* const from = a[1].as<int>() + 32 * g;
    a[2].as<int>()[g] = std::accumulate(from, from + 32, 0) * (*a[0].as<int>() ? 2 : 1);
  }
}

void rotateReference(Arguments& a, const DeviceInfo&) {
  const int rounds = *a[0].as<int>();
  for (int g = 0; g < 3; ++g) {
    int* const ring = a[1].as<int>() + 48 * g;
    const std::vector<int> before(ring, ring + 48);
    for (int i = 0; i < 48; ++i) {
      ring[i] = 0;
      for (int r = 1; r <= rounds; ++r) ring[i] += before[static_cast<std::size_t>((i + r) % 48)];
    }
  }
}

void mathReference(Arguments& a, const DeviceInfo&) {
  for (int i = 0; i < 64; ++i) {
    const double x = a[0].as<float>()[i];
    const double row[] = {std::sin(x),
                          std::cos(x),
                          std::exp(x),
                          std::log(std::fabs(x) + 1),
                          std::sqrt(std::fabs(x)),
                          std::pow(std::fabs(x) + 0.5, 1.5),
                          std::atan2(x, 2.0),
                          std::floor(x) + std::fmin(x, 0.25)};
    for (int k = 0; k < 8; ++k) a[1].as<float>()[8 * i + k] = static_cast<float>(row[k]);
  }
}

Case sums(const std::string& name, int doubled) {
  return {.name = name,
          .kernel = "group_sums",
          .launch = {.grid = {5}, .group = {32}, .dynamicSharedBytes = 128},
          .arguments = {value(doubled), counting<int>(160), zeros<int>(5)},
          .reference = sumsReference};
}

Case rotation(const std::string& name, int rounds) {
  return {.name = name,
          .kernel = "rotate",
          .launch = {.grid = {3}, .group = {48}},
          .arguments = {value(rounds), counting<int>(144, 5, -3)},
          .reference = rotateReference};
}

}  // namespace

std::vector<Case> cases_kernels_basics() {
  return {
      {.name = "index_3d",
       .kernel = "index3",
       .launch = {.grid = {3, 2, 2}, .group = {8, 4, 2}},
       .arguments = {value(21u), value(7u), value(3u), zeros<unsigned>(441)},
       .reference =
           [](Arguments& a, const DeviceInfo&) {
             for (unsigned i = 0; i < 441; ++i)
               a[3].as<unsigned>()[i] = i % 21 + 100 * (i / 21 % 7) + 10000 * (i / 147);
           }},
      // At -O3 a compiler that does not see other items in the barrier keeps the flag in a register.
      {.name = "scalar_shared_flag",
       .kernel = "flag",
       .launch = {.grid = {3}, .group = {40}},
       .arguments = {zeros<unsigned>(120)},
       .reference = [](Arguments& a, const DeviceInfo&) { std::fill_n(a[0].as<unsigned>(), 120, 7u); }},
      sums("group_sums", 0),
      sums("group_sums_uniform_branch", 1),
      rotation("barriers_in_a_loop", 7),
      rotation("no_round_of_the_loop", 0),
      {.name = "struct_by_value",
       .kernel = "unpack",
       .arguments = {value(Outer{{-5, 2.25}, {1, 65535, 3}, -9}), value(short{-2}), zeros<double>(7)},
       .reference =
           [](Arguments& a, const DeviceInfo&) {
             const double w[] = {-5, 2.25, 1, 65535, 3, -9, -2};
             std::copy_n(w, 7, a[2].as<double>());
           }},
      {.name = "struct_into_a_function",
       .kernel = "pass_on",
       .launch = {.grid = {2}, .group = {32}},
       .arguments = {value(Outer{{-5, 2.25}, {1, 60000, 3}, -9}), zeros<double>(128)},
       .reference =
           [](Arguments& a, const DeviceInfo&) {
             const double counts[] = {1, 60000, 3};
             for (int i = 0; i < 64; ++i) {
               a[1].as<double>()[2 * i] = 4.5 + counts[i % 3] + 1 + i;
               a[1].as<double>()[2 * i + 1] = 2.25 + counts[i % 3];
             }
           }},
      {.name = "constants",
       .kernel = "weigh",
       .launch = {.grid = {4}, .group = {8}},
       .arguments = {counting<float>(32, 0.5f)},
       .reference =
           [](Arguments& a, const DeviceInfo&) {
             const float w[] = {0.5f, -1, 2, 8};
             for (int i = 0; i < 32; ++i) a[0].as<float>()[i] *= w[i % 4];
           }},
      // Libraries promise a few units in the last place; the additions after log and before pow cost one more.
      {.name = "mathematics",
       .kernel = "mathematics",
       .launch = {.grid = {2}, .group = {32}},
       .arguments = {counting<float>(64, 0.25f, -7.9f), zeros<float>(512)},
       .reference = mathReference,
       .tolerances = {{.ulp = 8, .absolute = 0x1p-23}}},
      axpyCase<float>("float", 300),
      axpyCase<double>("double", 63),
      axpyCase<int>("int", 65),
      axpyCase<long>("long", 64),
  };
}

}  // namespace lathe::conformance
