// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types of dependent classes without `typename` among the arguments of function templates, as CUDA's compiler takes them:
// the code is that of the same text with the keyword. Values stay values.
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx
// RUN: sed -E "s/([<,] *)Traits<T>::(type|Inner)/\1typename Traits<T>::\2/g" %s > %t.cu && grep -c "typename Traits" %t.cu
// RUN: %compile %t.cu -t cuda:sm_80 --emit ptx -o %t.with.ptx && diff %t.ptx %t.with.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: %if nvcc %{ %nvcc -std=c++17 -ptx -arch=sm_80 %s -o %t.nvcc.ptx %}
// RUN: %lathe run %s -t cpu -k all --grid 1 --group 1 --arg zeros:i32[7] --print 0 | FileCheck %s --check-prefix=RESULT
// CHECK-LABEL: .entry all(
// RESULT: 2 8 3 102 5 11 51
template <class T>
struct Traits {
  using type = short;
  struct Inner {
    double value;
  };
  static constexpr int count = 3;
};

template <class T>
__device__ int bytes() {
  return sizeof(T);
}
template <int n>
__device__ int number() {
  return n;
}
template <class T>
__device__ int either() {
  return 100 + sizeof(T);
}
template <int n>
__device__ int either() {
  return n + 2;
}
template <int n, class... T>
__device__ int sum(int first) {
  return (static_cast<int>(sizeof(T)) + ... + (first + n));
}

template <int... numbers, class T>
__device__ int count(T) {
  return sizeof...(numbers) * 10 + (numbers + ... + 0);
}
template <int... numbers, class T>
__device__ int counted(T value) {
  return count<numbers..., Traits<T>::count>(value) + count<1, Traits<T>::count>(value);
}

template <class T>
__device__ void fill(int* out) {
  out[0] = bytes<Traits<T>::type>();
  out[1] = bytes<Traits<T>::Inner>();
  out[2] = number<Traits<T>::count>();
  out[3] = either<typename Traits<T>::type>();
  out[4] = either<Traits<T>::count>();
  out[5] = sum<Traits<T>::count - 3, Traits<T>::type, Traits<T>::Inner>(1);
  out[6] = counted<4>(T());
}

extern "C" __global__ void all(int* out) {
  fill<float>(out);
}
