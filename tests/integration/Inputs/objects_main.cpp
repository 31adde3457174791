// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The same object from C++: both headers together, ranges on threads of the program's own.
#include "objects.hpp"

#include "objects.h"

#include <cstdio>
#include <thread>
#include <vector>

int main() {
  namespace kernels = lathe::objects::objects;
  constexpr unsigned n = 10000;
  std::vector<float> x(n, 2.0f), y(n, 1.0f);
  std::vector<std::thread> threads;
  lathe_launch whole{};
  whole.grid[0] = (n + 63) / 64;
  whole.group[0] = 64;
  const auto count = lathe_group_count(&whole);
  bool good = true;
  for (unsigned t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      lathe_launch part = whole;
      part.first_group = count * t / 4;
      part.end_group = count * (t + 1) / 4;
      if (kernels::saxpy(part, n, 3.0f, x.data(), y.data()) != LATHE_LAUNCH_DONE) good = false;
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (float value : y) good &= value == 7.0f;

  float table[1] = {4};
  objects_Params params{};
  params.scale = 2;
  params.table = table;
  double out = 0;
  lathe_launch one{};
  one.grid[0] = one.group[0] = 1;
  good &= kernels::apply(one, params, objects_Wide{}, objects_Either{}, objects_Flags{}, false, 1, &out) == 0;
  good &= out == 9;
  good &= kernels::dot(x.data(), x.data(), 2) == 8 && kernels::group_sums_scratch(one) > 0;
  std::puts(good ? "all correct" : "wrong");
  return good ? 0 : 1;
}
