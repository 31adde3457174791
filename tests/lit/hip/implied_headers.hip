// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C++ library by way of hip_runtime.h, as AMD's header brings it: host code without it lost the launches that name
// the instances of kernels, or broke the classes that stand around them. A source that needs none is read once.
// RUN: %compile %s -t amdgpu:gfx942 -o %t.limg && %lathe inspect %t.limg | FileCheck %s
// RUN: %compile %s -t cpu -DUSING -o %t.limg && %lathe inspect %t.limg | FileCheck %s
// CHECK-DAG: filled<4, int>
// CHECK-DAG: filled<3, int>
// CHECK-DAG: doubled<float>
// CHECK-DAG: named<7>
// CHECK-DAG: named<32>
// RUN: %compile %s -t cpu -DDECLARED -o %t.limg && %lathe inspect %t.limg | FileCheck %s --check-prefix=DECLARED
// DECLARED: named<32>
// RUN: not %compile %s -t amdgpu:gfx942 -DMISSPELT -o %t.limg 2>&1 | FileCheck %s --check-prefix=MISSPELT
// MISSPELT: implied_headers.hip:[[#@LINE+21]]:{{.*}} error: no member named 'unheard' in namespace 'std'
#include <hip/hip_runtime.h>
#ifdef DECLARED
#include <tuple>
#endif

#ifdef USING
using namespace std;
#define LIBRARY
#else
#define LIBRARY std::
#endif

template <int N, class T>
__global__ void filled(T* p, int n) {
  p[threadIdx.x] = n + N;
}
template <class T>
__global__ void doubled(T* p) {
  p[threadIdx.x] *= 2;
#ifdef MISSPELT
  p[0] = std::unheard(p[1]);
#endif
}
template <int N>
__global__ void named(int* p) {
  p[0] = N;
}

template <auto Values, class F>
void forEach(F&& f) {
  f.template operator()<Values[0]>();
}
#ifdef DECLARED
int main() {
  forEach<std::array{32, 64}>([]<int N>() { named<N><<<1, 1>>>(nullptr); });
}
#else

template <class Kernel, class... Args>
float launchAndTime(hipStream_t stream, Kernel kernel, dim3 grid, dim3 group, size_t shared, Args... args) {
  hipLaunchKernelGGL(kernel, grid, group, shared, stream, args...);
  return 0;
}
struct Operation {
  virtual ~Operation() = default;
  virtual float run(int* p) = 0;
  virtual LIBRARY unique_ptr<Operation> copied() const = 0;
  virtual LIBRARY string nameOf() const { return typeid(*this).name(); }
};
template <class T, int Tile>
struct Filling : Operation {
  float run(T* p) override {
    auto launch = [&](auto isLast) {
      const auto kernel = filled<Tile + decltype(isLast)::value, T>;
      return launchAndTime(nullptr, kernel, dim3(1), dim3(64), 0, p, 3);
    };
    return p ? launch(std::true_type{}) : launch(std::false_type{});
  }
  LIBRARY unique_ptr<Operation> copied() const override { return LIBRARY make_unique<Filling>(); }
};
int main() {
  LIBRARY array<LIBRARY unique_ptr<Operation>, 1> all{LIBRARY make_unique<Filling<int, 3>>()};
  for (auto& one : all) one->run(nullptr);
  LIBRARY complex<float> z(1, 2);
  launchAndTime(nullptr, doubled<float>, 1, 1, 0, static_cast<float*>(nullptr));
  LIBRARY ostringstream text;
  text << z.real();
  auto kernels = LIBRARY make_tuple(named<7>);
  launchAndTime(nullptr, LIBRARY get<0>(kernels), 1, 1, 0, static_cast<int*>(nullptr));
  forEach<LIBRARY array{32, 64}>([]<int N>() { named<N><<<1, 1>>>(nullptr); });
}
#endif
