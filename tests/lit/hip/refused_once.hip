// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A builtin of AMD's, and a function that calls itself, are one error where they stand on targets whose code is text: what
// vectors such a builtin makes, and the calls of such a function, are not reported beside them; nor is the end of an item in one.
//
// RUN: not %compile %s -t metal -D NO_TRAP -o %t 2>&1 | FileCheck %s --implicit-check-not='error: '
// RUN: not %compile %s -t opencl-c -O 0 -o %t 2>&1 | FileCheck %s --implicit-check-not='error: '
// RUN: not %compile %s -t spirv -o %t 2>&1 | FileCheck %s --implicit-check-not='error: '
#include <hip/hip_runtime.h>
typedef float f4 __attribute__((ext_vector_type(4)));

// CHECK: refused_once.hip:[[#@LINE+4]]:{{[0-9]+}}: error: 'llvm.amdgcn.mfma.f32.4x4x1f32', which other processors have
// CHECK: refused_once.hip:[[#@LINE+6]]:{{[0-9]+}}: error: 'llvm.amdgcn.cvt.pkrtz', which other processors have
__global__ void matrix(float* p, float x) {
  f4 v = {p[0], p[1], p[2], p[3]};
  v = __builtin_amdgcn_mfma_f32_4x4x1f32(1, 2, v, 0, 0, 0);
  p[0] = v[0];
  p[1] = v.y + 2;
  auto h = __builtin_amdgcn_cvt_pkrtz(x, p[1]);
  p[3] = static_cast<float>(h[1]);
}

// CHECK: refused_once.hip:[[#@LINE+7]]:{{[0-9]+}}: error: 'int fib<int>(int)' calls itself, directly or not
// CHECK: hint: write it as a loop, or keep a stack of your own in an array
template <class T>
__device__ __attribute__((noinline)) T fib(T n) {
#ifndef NO_TRAP
  if (n < 0) __builtin_trap();
#endif
  return n < 2 ? n : (fib<T>(n - 1) ^ n) % 7;
}
__global__ void recursive(int* p) {
  p[0] = fib<int>(p[1]);
}
