// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host code may make objects between braces by constructors for the device alone, which nvcc 13.0 does not look at: its
// PTX of this file has the kernels below (cuDF passes such function objects to kernels). Nothing is said of it.
// RUN: %compile %s -t cuda:sm_90 --emit ptx -o %t.ptx 2>&1 | FileCheck %s --check-prefix=SAID --allow-empty
// RUN: FileCheck %s < %t.ptx
// SAID-NOT: {{remark|warning|error}}
// CHECK-DAG: .entry _Z3runI6BoundsIiEEvT_Pi(
// CHECK-DAG: .entry _Z3runI6BoundsIfEEvT_Pi(
// CHECK-DAG: .entry _Z3runI5PlainEvT_Pi(
template <class T>
struct Bounds {
  T begin, end;
  __device__ Bounds(T b, T e) : begin{b}, end{e} {}
  __device__ bool operator()(T i) const { return i >= begin && i < end; }
};
struct Plain {
  int value;
  __device__ explicit Plain(int v) : value{v} {}
  __device__ int operator()(int i) const { return i + value; }
};

template <class F>
__global__ void run(F f, int* p) {
  p[0] = f(p[1]);
}

template <class F>
void launch(F f, int* p) {
  run<<<1, 1>>>(f, p);
}
template <class T>
void launchBounds(int* p) {
  launch(Bounds<T>{3, 4}, p);
}
void start(int* p) {
  launchBounds<int>(p);
  launchBounds<float>(p);
  launch(Plain{3}, p);
}
