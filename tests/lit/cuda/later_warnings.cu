// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sources in C++17 are read as C++20, and are not warned of what that made deprecated.
// RUN: %compile %s -t cuda:sm_80 -std=c++17 --emit ptx -o %t.ptx 2>&1 | FileCheck %s
// CHECK-NOT: {{[0-9]}}: warning
#include <type_traits>

template <int size>
struct Traits {
  enum { WARPS = size };
  enum { THREADS = 32 };
  enum { ALL = WARPS * THREADS };
};
enum Mode { fast, slow };
enum Level { low, high };
struct Scale {
  float by;
  template <class Function>
  __device__ float with(Function function) const {
    return function(2.0f);
  }
  __device__ float twice() const {
    return with([=](float factor) { return by * factor; });
  }
};
static_assert(std::is_pod<Scale>::value);

__global__ void fill(volatile int* out, float scale) {
  volatile int count = 0;
  count += Traits<4>::ALL;
  ++count;
  out[0] = count + static_cast<int>(slow * Scale{scale}.twice()) + (fast == low);
}
