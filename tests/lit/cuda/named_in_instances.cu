// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that a function template of the host names with arguments of its own, where the launch's other arguments are
// broken in the instance: they are there, and those of branches that the instance does not have are not.
// RUN: %compile %s -t cuda:sm_90 -o %t.limg && %lathe inspect %t.limg | FileCheck %s --implicit-check-not=never
// RUN: %compile %s -x hip -t amdgpu:gfx942 -o %t.limg && %lathe inspect %t.limg | FileCheck %s --implicit-check-not=never
// CHECK-DAG: good<1, int>
// CHECK-DAG: good<21, int>
// CHECK-DAG: deep<21, int>
template <int N, class T>
__global__ void good(T* p) {
  p[0] = N;
}
template <int N, class T>
__global__ void deep(T* p) {
  p[0] = N;
}
template <int N, class T>
__global__ void never(T* p) {
  static_assert(N > 100, "never");
  p[0] = typename T::Nothing();
}
template <class Kernel>
void start(Kernel kernel, dim3 grid) {
  kernel<<<grid, 1>>>(nullptr);
}
template <int N, class T>
void within(int) {
  start(deep<N + 1, T>, 1);
}
template <class T>
constexpr bool isInt = false;
template <>
constexpr bool isInt<int> = true;

template <int N, class T>
struct Runner {
  template <int M>
  void run(T* p) {
    auto grid = missing_library_call(p);
    constexpr int local = N + 5;
    if constexpr (N > 3)
      start(never<N, T>, dim3(grid));
    else
      start(good<N, T>, dim3(grid));
    if constexpr (isInt<T>) {
      start(good<N + M, T>, dim3(grid));
    } else {
      start(never<M, T>, dim3(grid));
    }
    // What depends on the function's own names is not known.
    if constexpr (local > 100) start(never<N + 1, T>, dim3(grid));
    start(never<local, T>, dim3(grid));
    within<M, T>(grid);
  }
};
int main() {
  Runner<1, int>().run<20>(nullptr);
}
