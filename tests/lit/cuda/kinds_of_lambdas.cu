// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA's questions about lambdas, in device code, for specialisations, and for types that are none.
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o - 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=remark:
// RUN: %if nvcc %{ %nvcc -std=c++17 --extended-lambda -ptx -arch=sm_80 %s -o - | FileCheck %s %}
#include <type_traits>

template <class F>
__global__ void apply(float* p, F f) {
  static_assert(__nv_is_extended_host_device_lambda_closure_type(F), "a lambda for both sides");
  static_assert(!__nv_is_extended_device_lambda_closure_type(F) ||
                __nv_is_extended_device_lambda_with_preserved_return_type(F));
  p[threadIdx.x] = f(p[threadIdx.x]);
}
struct Twice {
  __host__ __device__ float operator()(float x) const { return 2 * x; }
};
template <class T>
struct Holder {};
static_assert(!__nv_is_extended_host_device_lambda_closure_type(Twice));
static_assert(!__nv_is_extended_host_device_lambda_closure_type(Holder<Twice>));
static_assert(!__nv_is_extended_device_lambda_closure_type(int));
template <class T, class = void>
struct Kind {
  static constexpr int value = 1;
};
template <class T>
struct Kind<T, std::enable_if_t<__nv_is_extended_device_lambda_closure_type(T)>> {
  static constexpr int value = 2;
};
template <class F>
void launch(float* p, F f) {
  static_assert(!__nv_is_extended_host_device_lambda_closure_type(Holder<F>));
  static_assert(Kind<Twice>::value == 1);
  apply<<<1, 32>>>(p, f);
}

// CHECK: .entry _Z5applyIZ5scalePffEUlfE_EvS0_T_
void scale(float* p, float by) {
  launch(p, [=] __host__ __device__(float x) { return x * by; });
}
