// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a target has no toolkit, thrust::complex is still another class than std::complex: headers overload functions
// and constructors by both.
// RUN: %compile %s -t cpu -o %t.limg
// RUN: %compile %s -t amdgpu:gfx942 -o %t.limg
// RUN: %compile %s -t spirv -o %t.limg
#include <thrust/complex.h>

#include <complex>
#include <iostream>

template <class T>
struct Own {
  T real, imaginary;
  __host__ __device__ explicit Own(const std::complex<T>& z) : real(z.real()), imaginary(z.imag()) {}
  __host__ __device__ explicit Own(const thrust::complex<T>& z) : real(z.real()), imaginary(-z.imag()) {}
  __host__ __device__ explicit operator thrust::complex<T>() const { return {real, imaginary}; }
};
static_assert(!std::is_same_v<thrust::complex<float>, std::complex<float>>);
static_assert(alignof(thrust::complex<float>) == 8 && alignof(thrust::complex<double>) == 16);
static_assert(std::is_same_v<decltype(thrust::complex<float>() * 2.0), thrust::complex<double>>);
static_assert(std::is_same_v<decltype(3 * thrust::complex<float>()), thrust::complex<float>>);
static_assert(thrust::complex<float>(1, 2) * thrust::complex<float>(3, 4) == thrust::complex<double>(-5, 10));
static_assert(thrust::norm(thrust::complex<float>(3, 4)) == 25 && thrust::complex<float>(2) != 1);

__global__ void all(float* out, const thrust::complex<float>* in, std::complex<double> s) {
  thrust::complex<float> a = in[0], b(1.f, 2.f);
  thrust::complex<double> d = a * 2.0 + thrust::complex<double>(s);
  a += b;
  a *= 2.f;
  a /= b;
  a -= 1;
  b = threadIdx.x ? a : a * b;
  const auto e = thrust::exp(a) + thrust::pow(a, 2) + pow(a, b) + thrust::polar(1.f, 2.f) + 1.f / a - 3 * b;
  if (e == b || a != 1.f) b = 0.f;
  b.real(2.f);
  const std::complex<float> h = b;
  out[0] = Own<float>(a).imaginary + Own<float>(h).imaginary + e.real() + norm(e) + thrust::abs(b) +
           static_cast<float>(d.imag()) + abs(conj(a)) + (-a).real();
}
int main() {
  const thrust::complex<double> z(1, 2);
  std::cout << z << "\n";
  all<<<1, 1>>>(nullptr, nullptr, z);
}
