// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel that a name expression names is the outermost function in it, not one of its template arguments.
//
// RUN: %lathe compile %s -t cpu --emit portable -o %t -k 'map<square>' -k 'like<decltype(square)>' -k 'In<square>::kernel'
// RUN: %lathe inspect %t | FileCheck %s
// RUN: not %lathe compile %s -t cpu -k 'square' 2>&1 | FileCheck %s --check-prefix=PLAIN
// RUN: not %lathe compile %s -t cpu -k 'plain<kernel>' 2>&1 | FileCheck %s --check-prefix=NESTED
#include <lathe/device.h>

inline float square(float x) { return x * x; }

// CHECK-DAG: map<square>
template <float (*F)(float)>
LATHE_KERNEL void map(float* x) {
  x[lathe::global_id().x] = F(x[lathe::global_id().x]);
}

template <class F>
struct Result;
template <class R, class A>
struct Result<R(A)> {
  using type = R;
};

// CHECK-DAG: like<decltype(square)>
template <class F>
LATHE_KERNEL void like(typename Result<F>::type* x) {
  x[lathe::global_id().x] = 1;
}

// CHECK-DAG: In<square>::kernel
template <float (*F)(float)>
struct In {
  LATHE_KERNEL static void kernel(float* x) { x[0] = F(x[0]); }
};

// PLAIN: 'square' is not a kernel
// NESTED: 'plain<kernel>' is not a kernel
LATHE_KERNEL void kernel(float* x) { x[0] = 1; }
template <void (*K)(float*)>
void plain(float* x) {
  K(x);
}
