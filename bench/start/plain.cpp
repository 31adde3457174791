// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// bench_start_plain N: one saxpy as the host's compiler makes it, the peer of bench_start_lathe.
#include <cstdio>
#include <cstdlib>
#include <vector>

[[gnu::noinline]] static void saxpy(unsigned n, float a, const float* x, float* y) {
  for (unsigned i = 0; i < n; ++i) y[i] += a * x[i];
}

int main(int count, char** arguments) {
  const unsigned n = count > 1 ? static_cast<unsigned>(std::atoi(arguments[1])) : 1024;
  const std::vector<float> x(n, 1.0f);
  std::vector<float> y(n, 3.0f);
  saxpy(n, 2.0f, x.data(), y.data());
  for (const float value : y) {
    if (value != 5.0f) return 1;
  }
  std::puts("done");
  return 0;
}
