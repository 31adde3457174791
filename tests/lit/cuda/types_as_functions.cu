// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of types in dependent classes without `typename`, which are called like functions, and of templates behind
// `typename` without `template`, as CUDA's compiler takes them: the code is that of the same text with the keywords.
// Functions that are called so stay functions.
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx 2>&1 | FileCheck %s --check-prefix=SAID --allow-empty
// RUN: sed -E "s/\(C::width\)/(typename C::width)/; s/ C::(width|sum)\(/ typename C::\1(/; s/typename (C|T)::(cell|alias)</typename \1::template \2</" %s > %t.cu
// RUN: grep -c "typename C::template" %t.cu && grep -c " typename C::width(" %t.cu && grep -c "(typename C::width)" %t.cu
// RUN: %compile %t.cu -t cuda:sm_80 --emit ptx -o %t.with.ptx && diff %t.ptx %t.with.ptx
// RUN: %if nvcc %{ %nvcc -std=c++17 -ptx -arch=sm_80 %s -o %t.nvcc.ptx %}
// RUN: %lathe run %s -t cpu -k all --grid 1 --group 1 --arg zeros:i32[6] --print 0 | FileCheck %s --check-prefix=RESULT
// SAID-NOT: {{warning|remark}}
// RESULT: 44 300 7 3 5 9

template <class T>
struct Cell {
  T value;
};
struct Narrow {
  using width = unsigned char;
  struct sum {
    int all;
    __device__ sum(int a, int b) : all(a + b) {}
  };
  template <class T>
  using cell = Cell<T>;
  template <class T>
  using alias = Cell<T>;
};
struct Wide {
  using width = int;
  using sum = Narrow::sum;
  __device__ static int twice(int x) { return 2 * x; }
};

template <class T>
using CellOfInt = typename T::alias<int>;

template <class C>
__device__ int narrowed(int x) {
  return C::width(x);
}
template <class C>
__device__ int added(int x) {
  const auto sum = C::sum(x, 3);
  return sum.all;
}
template <class C>
__device__ int cast(int x) {
  return (C::width)(x + 1);
}
template <class C>
__device__ int called(int x) {
  return C::twice(x) + 1;
}
template <class C>
__device__ int inCell(int x) {
  typename C::cell<int> cell{x};
  return cell.value + CellOfInt<C>{2}.value;
}

extern "C" __global__ void all(int* out) {
  out[0] = narrowed<Narrow>(300);
  out[1] = narrowed<Wide>(300);
  out[2] = added<Narrow>(4);
  out[3] = cast<Narrow>(258);
  out[4] = called<Wide>(2);
  out[5] = inCell<Narrow>(7);
}
