// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Classes whose constructors are declared and defaulted are aggregates before C++20.
// RUN: %compile %s -t cuda:sm_80 --std c++17 --emit ptx -o %t.ptx
// RUN: %if nvcc %{ %nvcc -std=c++17 -ptx -arch=sm_80 %s -o %t.nvcc.ptx %}
// RUN: %lathe run %s -t cpu --std gnu++17 -k all --grid 1 --group 1 --arg zeros:i32[6] --print 0 | FileCheck %s --check-prefix=RESULT
// RUN: %compile -x hip %s -t amdgpu:gfx1100 --std c++14 -o %t.limg
// RUN: not %compile %s -t cuda:sm_80 --std c++20 --emit ptx -o %t.ptx 2>&1 | FileCheck %s --check-prefix=NEWER
// RESULT: 1 4 7 0 1 8
// NEWER: no matching constructor for initialization of 'Array<Array<int, 2>, 2>'
#ifdef __HIP__
#include <hip/hip_runtime.h>
#endif

template <class T, int count>
struct Array {
  T values[count];
  Array() = default;
  __host__ __device__ constexpr Array(const Array&) = default;
  Array& operator=(const Array&) = default;
};
struct Base {
  int low;
};
struct Derived : Base {
  Derived() = default;
  int high = 7;
};

// None of these is one.
struct Explicit {
  explicit Explicit() = default;
  int value;
};
struct Hidden {
  Hidden() = default;

 private:
  int value;
};
struct Any {
  Any() = default;
  template <class T>
  __host__ __device__ Any(T from) : value(from + 1) {}
  int value;
};
template <class T>
constexpr bool isAggregate = __is_aggregate(T);

__device__ Array<Array<int, 2>, 2> table() {
  return {{{{1, 2}}, {{3, 4}}}};
}

extern "C" __global__ void all(int* out) {
  const auto made = table();
  out[0] = made.values[0].values[0];
  out[1] = made.values[1].values[1];
  out[2] = Derived{{5}}.high;
  out[3] = isAggregate<Explicit> || isAggregate<Hidden> || isAggregate<Any>;
  out[4] = isAggregate<Array<int, 1>> && isAggregate<Derived>;
  out[5] = Any{7}.value;
}
