// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// hipLaunchKernelGGL as a function, which sources ask for by a macro: template arguments with commas, and kernels whose
// other arguments follow from those of the launch. Without the macro it is one itself.
// RUN: %compile %s -t amdgpu:gfx942 -o %t.limg && %lathe inspect %t.limg | FileCheck %s
// RUN: %compile %s -t cuda:sm_90 -DMACRO -o %t.limg && %lathe inspect %t.limg | FileCheck %s --check-prefix=MACRO
// CHECK-DAG: several<64, 32, int, Operation>
// CHECK-DAG: one<float>
// MACRO: one<float>
#ifndef MACRO
#define HIP_TEMPLATE_KERNEL_LAUNCH
#endif
#include <hip/hip_runtime.h>

struct Operation {
  __device__ int operator()(int x) const { return x + 1; }
};
template <int Block, int Warp, class T, class F>
__global__ void several(T* p, F f) {
  p[threadIdx.x] = f(Block + Warp);
}
template <class T>
__global__ void one(T* p) {
  p[0] = 1;
}
int main() {
  int* p = nullptr;
#ifndef MACRO
  [&]<int Block>() { hipLaunchKernelGGL(several<Block, 32>, 1, dim3(Block), 0, hipStreamDefault, p, Operation()); }.operator()<64>();
#endif
  hipLaunchKernelGGL(one, 1, 1, 0, nullptr, reinterpret_cast<float*>(p));
}
