// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Explicit specialisations that differ from their templates in sides or in constexpr: operators, members of instances of
// class templates that are templates and that are none, and the device's of a template without marks. Kernels get the
// specialisation, as nvcc has it, and not what the template says of all other types.
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx 2>&1 | FileCheck %s --check-prefix=SAID --allow-empty
// RUN: %if nvcc %{ %nvcc --expt-relaxed-constexpr -std=c++17 -ptx -arch=sm_80 %s -o %t.nvcc.ptx && FileCheck %s --check-prefix=PTX < %t.nvcc.ptx %}
// RUN: FileCheck %s --check-prefix=PTX < %t.ptx
// RUN: %lathe run %s -t cpu -k all --grid 1 --group 1 --arg zeros:i32[13] --print 0 | FileCheck %s --check-prefix=RESULT
// RUN: not %compile %s -DUNMATCHED -t cuda:sm_80 --emit ptx -o - 2>&1 | FileCheck %s --check-prefix=UNMATCHED
// SAID-NOT: {{warning|remark}}
// PTX-LABEL: .entry all(
// PTX-NOT: {{call|, -1;}}
// PTX: ret;
// RESULT: 1 2 3 4 5 6 7 8 9 10 17 12 13
struct Operators {
  template <class T>
  __device__ int operator()(T) const {
    return -1;
  }
  template <class T>
  __host__ __device__ constexpr int operator[](T) const {
    return -1;
  }
};
template <>
inline int Operators::operator()<int>(int) const {
  return 1;
}
template <>
inline int Operators::operator[](int) const {
  return 2;
}

template <class K>
struct Hash {
  __device__ constexpr int operator()(K) const { return -1; }
  __device__ constexpr int operator()(K, K) const { return 17; }
  __device__ int plain(K) const { return -1; }
  __device__ operator int() const { return -1; }
  __host__ __device__ constexpr int unmarked(K) const { return -1; }
  template <class T>
  __device__ constexpr int inner(T) const {
    return -1;
  }
  template <class T>
  constexpr int sided(T) const {
    return -1;
  }
};
template <>
__device__ inline int Hash<bool>::operator()(bool) const {
  return 3;
}
template <>
inline int Hash<short>::operator()(short) const {
  return 4;
}
template <>
__device__ constexpr int Hash<bool>::plain(bool) const {
  return 5;
}
template <>
inline Hash<bool>::operator int() const {
  return 13;
}
template <>
int Hash<bool>::unmarked(bool) const {
  return 6;
}
template <>
template <>
inline int Hash<int>::inner<int>(int) const {
  return 7;
}
template <>
template <>
__device__ inline int Hash<int>::sided<int>(int) const {
  return 8;
}

template <class T>
constexpr int sided(T) {
  return -1;
}
template <>
__device__ int sided<int>(int) {
  return 9;
}
template <>
__host__ __device__ constexpr int sided(short) {
  return 10;
}

template <class T>
__host__ __device__ int both(T) {
  return -1;
}
template <>
__device__ int both<int>(int) {
  return 12;
}

extern "C" __global__ void all(int* out) {
  out[0] = Operators()(1);
  out[1] = Operators()[1];
  out[2] = Hash<bool>()(true);
  out[3] = Hash<short>()(static_cast<short>(1));
  out[4] = Hash<bool>().plain(true);
  out[5] = Hash<bool>().unmarked(true);
  out[6] = Hash<int>().inner(1);
  out[7] = Hash<int>().sided(1);
  out[8] = sided(1);
  out[9] = sided(static_cast<short>(1));
  out[10] = Hash<bool>()(true, true);
  out[11] = both(1);
  out[12] = Hash<bool>();
}

// No template of that type: what is wrong is said, although nothing in the declaration is the device's.
#ifdef UNMATCHED
// UNMATCHED: error: no function template matches function template specialization 'both'
template <>
inline int both<long>(int) {
  return 13;
}
#endif

const char* host() {
  return "this file has host code";
}
