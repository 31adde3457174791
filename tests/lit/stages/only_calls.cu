// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function with one call becomes part of its caller whatever its size, and what the call passes becomes known; not
// one with two calls that is too large and is given no local object, nor one that the source keeps apart.
//
// RUN: %compile %s -t cuda:sm_80 -k one --emit ptx -o %t.one
// RUN: FileCheck %s --check-prefix=ONE < %t.one
// RUN: %compile %s -t cuda:sm_80 -k two --emit ptx -o %t.two
// RUN: FileCheck %s --check-prefix=CALL < %t.two
// RUN: %compile %s -t cuda:sm_80 -k kept --emit ptx -o %t.kept
// RUN: FileCheck %s --check-prefix=CALL < %t.kept
//
// ONE-NOT: call
// ONE-NOT: sqrt
// CALL: call.uni
struct Choice {
  bool takesRoot;
  float start;
};
#define STEPS_8(step) step step step step step step step step
#define STEPS_56(step) STEPS_8(step) STEPS_8(step) STEPS_8(step) STEPS_8(step) STEPS_8(step) STEPS_8(step) STEPS_8(step)
#define STEPS_336(step) STEPS_56(step) STEPS_56(step) STEPS_56(step) STEPS_56(step) STEPS_56(step) STEPS_56(step)
template <int n>
__device__ float chain(float a, float b, bool takesRoot, float start) {
  float x = start;
  STEPS_336(x = x * a + b;)
  STEPS_336(x = x * b + a;)
  STEPS_336(x = x * a + a;)
  STEPS_336(x = x * b + b;)
  STEPS_336(x = x * a - b;)
  STEPS_336(x = x * b - a;)
  return takesRoot ? sqrtf(x) : x;
}
template <int n>
__device__ float chosen(float a, float b, Choice choice) {
  return chain<n>(a, b, choice.takesRoot, choice.start);
}
__global__ void one(float a, float b, float* out) {
  out[threadIdx.x] = chosen<1>(a, b, {false, out[threadIdx.x]});
}
__global__ void two(float a, float b, float* out) {
  out[threadIdx.x] = chain<2>(a, b, false, out[threadIdx.x]) + chain<2>(b, a, true, out[threadIdx.x + 1]);
}
__device__ __noinline__ float apart(float x) {
  return x * x + 1;
}
__global__ void kept(float* out) {
  out[threadIdx.x] = apart(out[threadIdx.x]);
}
