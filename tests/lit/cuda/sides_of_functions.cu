// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that are marked in their class, or where they are declared, and not where they are defined, or the other way
// round, are for both sides, as nvcc takes them. What matches no declaration whatever its side stays an error.
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: not %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx -DBROKEN 2>&1 | FileCheck %s --check-prefix=BROKEN
// CHECK-DAG: .entry _Z5usersPf
// CHECK-NOT: call.uni
// BROKEN: sides_of_functions.cu:[[@LINE+39]]:23: error: out-of-line definition of 'later' does not match any declaration in 'Ray'
struct Ray {
  __device__ Ray(float from);
  __host__ __device__ ~Ray();
  __host__ __device__ float at(float t) const;
  __host__ __device__ float at(double t) const;
  __device__ Ray& operator+=(float more);
  float later(int n) const;
  static __device__ float halved(float x);
  float from_;
};

inline Ray::Ray(float from) : from_{from} {}
inline Ray::~Ray() {}
inline float Ray::at(float t) const {
  const auto twice = [&](float x) { return from_ + x * 2; };
  return twice(t);
}
inline float Ray::at(double t) const {
  return from_ + static_cast<float>(t);
}
Ray& Ray::operator+=(float more) {
  from_ += more;
  return *this;
}
__device__ float Ray::later(int n) const {
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    sum += from_;
  }
  return sum;
}
float Ray::halved(float x) {
  return x / 2;
}
float hostOnly(float x) {
  return x;
}
#ifdef BROKEN
__device__ float Ray::later(long long* n) const {
  return 0;
}
#endif

template <class T>
struct Box {
  __device__ T get(T i) const;
  template <class U>
  __host__ __device__ U as(U more) const;
  T x;
};
template <class T>
T Box<T>::get(T i) const {
  return x * i;
}
template <class T>
template <class U>
U Box<T>::as(U more) const {
  return more + static_cast<U>(x);
}

#define DEFINED_BY_MACRO(name) \
  __device__ float name(float); \
  float name(float x) { return x * 3; }
DEFINED_BY_MACRO(tripled)

namespace parts {
__device__ float first(float);
template <class T>
__device__ T second(T);
float third(float);
}  // namespace parts

__global__ void users(float* out) {
  Ray ray(out[0]);
  ray += out[1];
  const Box<float> box{out[2]};
  out[3] = ray.at(2.f) + ray.at(2.) + ray.later(3) + Ray::halved(out[4]) + box.get(5.f) + box.as(6.f) + tripled(out[5]) +
           parts::first(out[6]) + parts::second(out[7]) + parts::third(out[8]);
}

namespace parts {
float first(float x) {
  return x + 1;
}
template <class T>
T second(T x) {
  return x + 2;
}
__device__ float third(float x) {
  return x + 3;
}
}  // namespace parts
