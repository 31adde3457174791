// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Classes for both sides, operators, lambdas, exceptions on the host, code that depends on __CUDA_ARCH__.
// REQUIRES: libcxx
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx 2> %t.cuda
// RUN: %if ptxas %{ %ptxas -arch=sm_80 %t.ptx -o %t.cubin %}
// RUN: %compile %s -t cpu -o %t.limg
// RUN: %lathe run %s -t cpu --grid 1 --group 4 -k energies --arg iota:f32[12] --arg zeros:f32[4] --arg 4 --print 1:4 | FileCheck %s
// CHECK: 5 50 149 302
#include <cassert>
#include <cmath>
#include <iostream>
#include <string>
#include <vector>

class Vec3 {
 public:
  __host__ __device__ Vec3(float x = 0, float y = 0, float z = 0) : x_(x), y_(y), z_(z) {}
  __host__ __device__ float dot(const Vec3& other) const { return x_ * other.x_ + y_ * other.y_ + z_ * other.z_; }
  __host__ __device__ Vec3 operator+(const Vec3& other) const { return Vec3(x_ + other.x_, y_ + other.y_, z_ + other.z_); }
  std::string text() const { return std::to_string(x_) + " " + std::to_string(y_); }
  friend std::ostream& operator<<(std::ostream& out, const Vec3& v) { return out << v.text(); }

 private:
  float x_, y_, z_;
};

template <class F>
__global__ void apply(F f, float* data, int n) {
  int i = threadIdx.x;
  if (i < n) data[i] = f(data[i]);
}

__global__ void energies(const float* in, float* out, int n) {
#if __CUDA_ARCH__ >= 600
  const int i = threadIdx.x;
#else
#error a device of this century is wanted
#endif
  assert(i < n);
  const Vec3 v(in[3 * i], in[3 * i + 1], in[3 * i + 2]);
  out[i] = v.dot(v);
}

class Simulation {
 public:
  explicit Simulation(int n) : n_(n), host_(n) {
    if (cudaMalloc(&device_, n * sizeof(float)) != cudaSuccess) throw std::bad_alloc();
  }
  ~Simulation() { cudaFree(device_); }
  void step(float dt) {
    apply<<<1, n_>>>([dt] __device__(float x) { return x + dt; }, device_, n_);
    energies<<<1, n_>>>(device_, device_, n_);
  }

 private:
  int n_;
  std::vector<Vec3> host_;
  float* device_ = nullptr;
};

int main() try {
  Simulation simulation(128);
  simulation.step(0.1f);
  std::cout << Vec3(1, 2, 3) + Vec3(1) << std::endl;
} catch (const std::exception& error) {
  std::cerr << error.what() << std::endl;
  return 1;
}
