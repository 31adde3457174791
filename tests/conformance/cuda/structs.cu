// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// By-value arguments: nested classes with padding, arrays in classes, member functions, a lambda and a functor.
#include <cassert>

struct Complex {
  float re, im;
  __host__ __device__ Complex(float re = 0, float im = 0) : re(re), im(im) {}
  __host__ __device__ Complex operator*(const Complex& o) const {
    return {re * o.re - im * o.im, re * o.im + im * o.re};
  }
  __host__ __device__ float norm2() const { return re * re + im * im; }
};

struct View {
  char tag;
  Complex origin;
  double step;
  int size[2];
};

__global__ void escapeTimes(__grid_constant__ const View view, int limit, int* out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= view.size[0] || y >= view.size[1]) return;
  assert(limit > 0 && "a positive limit");
  const Complex c(view.origin.re + x * static_cast<float>(view.step),
                  view.origin.im + y * static_cast<float>(view.step));
  Complex z;
  int k = 0;
  for (; k < limit && z.norm2() < 4.f; ++k) {
    z = z * z;
    z.re += c.re;
    z.im += c.im;
  }
  out[y * view.size[0] + x] = k;
}

struct Scale {
  float by;
  __device__ float operator()(float x) const { return by * x; }
};

template <class F>
__global__ void transform(F f, const float* in, float* out, int n) {
  const auto guarded = [&](int i) { return f(in[i]); };
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = guarded(i);
}
template __global__ void transform<Scale>(Scale, const float*, float*, int);
