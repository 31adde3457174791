// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Without a CUDA toolkit the mathematics of NVIDIA GPUs comes from the library built into Lathe: all of it is defined.
//
// RUN: echo 'lathe: 1' > %t.yaml && echo 'name: bare' >> %t.yaml && echo 'extends: cuda' >> %t.yaml
// RUN: echo 'device_libraries: [{name: libclc, role: math, embedded: libclc-nvptx64, math: {mangling: itanium}}]' >> %t.yaml
// RUN: rm -rf %t.targets && mkdir %t.targets && mv %t.yaml %t.targets/bare.yaml
// RUN: env LATHE_TARGET_PATH=%t.targets %compile %s -t bare:sm_90 --emit ptx -o - | FileCheck %s
#include <cmath>
#include <lathe/device.h>

// CHECK-NOT: __nv_
// CHECK-NOT: .extern .func
// CHECK: .visible .entry
LATHE_KERNEL void functions(float* x, double* y) {
  const unsigned i = lathe::global_id().x;
  x[i] = powf(sinf(x[i]), 1.5f) + expf(x[i]) + logf(x[i]) + tanhf(x[i]) + erff(x[i]) + atan2f(x[i], 2.0f) + fmodf(x[i], 3.0f) +
         cbrtf(x[i]) + lgammaf(x[i]) + hypotf(x[i], 1.0f) + exp2f(x[i]) + log1pf(x[i]) + acoshf(x[i]);
  y[i] = pow(sin(y[i]), 1.5) + exp(y[i]) + log(y[i]) + tanh(y[i]) + erf(y[i]) + tgamma(y[i]) + remainder(y[i], 3.0) + ldexp(y[i], 3);
}
