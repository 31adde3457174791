// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of members of dependent classes without `template`, as CUDA's compiler takes them: the code is that of the same
// text with the keyword. Comparisons stay comparisons.
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx
// RUN: sed -E "s/(::|\.|->)(convert|offset)</\1template \2</" %s > %t.cu && grep -c "template convert" %t.cu
// RUN: %compile %t.cu -t cuda:sm_80 --emit ptx -o %t.with.ptx && diff %t.ptx %t.with.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: %if nvcc %{ %nvcc -std=c++17 -ptx -arch=sm_80 %s -o %t.nvcc.ptx %}
// RUN: %lathe run %s -t cpu -k all --grid 1 --group 1 --arg zeros:i32[6] --print 0 | FileCheck %s --check-prefix=RESULT
// CHECK-LABEL: .entry all(
// RESULT: 42 9 11 12 1 7
struct Half2 {};
__device__ bool operator<(Half2, Half2);
__device__ bool operator>(Half2, Half2);

struct Tile {
  template <int stride>
  __device__ int offset(int i, int j) const {
    return i * stride + j;
  }
};

template <class To, class From>
struct Cast {
  template <int count>
  __device__ static To convert(From a, From b) {
    return To(a) * count + To(b);
  }
  static constexpr int size = 4;
  using Area = Tile;
};

template <class T>
__device__ int once(T from, const Tile*) {
  return Cast<int, T>::convert<4>(from, T(2));
}

template <class T, int n>
__device__ void fill(T from, int* out) {
  using Of = Cast<int, T>;
  out[0] = once<T>(from, nullptr);
  int sum = Of::convert<1>(T(3), T(6));
  out[1] = sum;
  T values[2] = {};
  const typename Cast<int, T>::Area same{};
  out[2] = same.offset<n>(1, 10);
  out[3] = (&same)->offset<n + 1>(1, 10);
  out[4] = (Cast<int, T>::size < 5) > (values[0] > 0);
  out[5] = Of::convert<n>(T(3), T(4));
}

extern "C" __global__ void all(int* out) {
  fill<float, 1>(10, out);
}
