// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of the host may be called in operands that are not evaluated, as with nvcc: no code is made of such calls.
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: %compile %s -t cpu -o %t.limg
// RUN: not %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx -DEVALUATED 2>&1 | FileCheck %s --check-prefix=EVALUATED
// RUN: not %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx -DIN_LAMBDA 2>&1 | FileCheck %s --check-prefix=LAMBDA
int ofHost(int x) { return x; }
template <class T> T doubled(T x) { return x + x; }
template <class T> T&& made();
template <class T> char pick(T);

struct Places {
  int at(int i) { return i; }
  template <int N, class E, class F> __device__ auto each(F f) -> decltype(f(made<E>()));
};
template <int N, class E, class F> __device__ auto Places::each(F f) -> decltype(f(made<E>())) { return f(E{N}); }
template <class T> __device__ auto next(T t) -> decltype(doubled(t)) { return t + 1; }
template <class F> __device__ void run(F f) { f(1); }

// CHECK: .entry _Z6plainsPi
// CHECK-NOT: call.uni
__global__ void plains(int* p) {
  decltype(ofHost(1)) x = 3;
  p[0] = x + static_cast<int>(sizeof(doubled(2.0)) + sizeof(Places().at(1)) + sizeof(pick(p))) + noexcept(ofHost(2));
}

// CHECK: .entry _Z9templatesIfEvPT_
// CHECK-NOT: call.uni
template <class T> __global__ void templates(T* p) {
  p[0] = next(p[1]);
  using Sum = decltype(doubled(p[0]));
  Sum sum = 3;
  p[2] = sum;
  auto plusOne = [=](T x) -> decltype(doubled(x)) { return x + 1; };
  p[3] = plusOne(sum);
  Places places;
  run([&] __device__(int) { p[4] = places.each<4, T>([&] __device__(T x) -> T { return x + p[0]; }); });
}
template __global__ void templates<float>(float*);

#ifdef EVALUATED
// EVALUATED: unevaluated_operands.cu:[[#@LINE+2]]:{{[0-9]+}}: error: no matching function for call to 'ofHost'
// EVALUATED: call to __host__ function from __global__ function
__global__ void wrong(int* p) { p[0] = static_cast<int>(sizeof(ofHost(1))) + ofHost(2); }
#endif
#ifdef IN_LAMBDA
// LAMBDA: unevaluated_operands.cu:[[#@LINE+1]]:{{[0-9]+}}: error: no matching function for call to 'ofHost'
__global__ void wrong(int* p) { p[0] = sizeof([] __device__(int x) { return ofHost(x); }(1)); }
#endif
