// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Explicit specialisations that leave out __device__, which their templates have: kernels get the specialisation, as
// nvcc has it, and not what the template says of all other types. By name, in classes and namespaces, and by a macro
// that also specialises a function of the host's.
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx 2>&1 | FileCheck %s --check-prefix=SAID --allow-empty
// RUN: %if nvcc %{ %nvcc --expt-relaxed-constexpr -std=c++17 -ptx -arch=sm_80 %s -o %t.nvcc.ptx && FileCheck %s --check-prefix=PTX < %t.nvcc.ptx %}
// RUN: FileCheck %s --check-prefix=PTX < %t.ptx
// RUN: %lathe run %s -t cpu -k all --grid 1 --group 1 --arg zeros:i32[7] --print 0 | FileCheck %s --check-prefix=RESULT
// SAID-NOT: {{warning|remark}}
// PTX-LABEL: .entry all(
// PTX-NOT: {{call|, -1;}}
// PTX: ret;
// RESULT: 1 2 3 4 5 6 9
template <class T>
constexpr __host__ __device__ int both() {
  return -1;
}
template <>
constexpr inline int both<int>() {
  return 1;
}

template <class T>
__device__ int device(T) {
  return -1;
}
template <>
inline int device(int) {
  return 2;
}

struct Names {
  template <class T>
  __host__ __device__ int inClass() const {
    return -1;
  }
  template <class T>
  const char* operator()() const {
    return "?";
  }
};
template <>
inline int Names::inClass<int>() const {
  return 3;
}

namespace outer {
namespace inner {
template <class T>
constexpr __device__ int inNamespace() {
  return -1;
}
}  // namespace inner
template <>
constexpr int inner::inNamespace<int>() {
  return 4;
}
}  // namespace outer

template <class T>
constexpr __host__ __device__ int byMacro() {
  return -1;
}
#define NUMBERED(type, number)                                 \
  template <>                                                  \
  constexpr inline int byMacro<type>() {                       \
    return number;                                             \
  }                                                            \
  template <>                                                  \
  inline const char* Names::operator()<type>() const {         \
    return #type;                                              \
  }
NUMBERED(int, 5)
NUMBERED(short, 6)

extern "C" __global__ void all(int* out) {
  out[0] = both<int>();
  out[1] = device(out[0]);
  out[2] = Names().inClass<int>();
  out[3] = outer::inner::inNamespace<int>();
  out[4] = byMacro<int>();
  out[5] = byMacro<short>();
  out[6] = both<short>() + 10;
}

const char* host() {
  return Names().operator()<int>();
}
