// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C++ host code around kernel templates: the launches say which instances there are.
// REQUIRES: libcxx
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx 2> %t.cuda
// RUN: %if ptxas %{ %ptxas -arch=sm_80 %t.ptx -o %t.cubin %}
// RUN: %compile %s -t cpu -o %t.limg
// RUN: %lathe inspect %t.limg | FileCheck %s
// CHECK-DAG: scale<float, 128
// CHECK-DAG: scale<double, 64
#include <algorithm>
#include <chrono>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace bench {

template <typename T, int Block>
__global__ void scale(T* data, T factor, std::size_t n) {
  const std::size_t i = blockIdx.x * static_cast<std::size_t>(Block) + threadIdx.x;
  if (i < n) data[i] *= factor;
}

class Timer {
 public:
  Timer() : start_(std::chrono::high_resolution_clock::now()) {}
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::high_resolution_clock::now() - start_).count();
  }

 private:
  std::chrono::high_resolution_clock::time_point start_;
};

template <typename T, int Block>
double run(std::vector<T>& host, T factor) {
  T* device = nullptr;
  if (cudaMalloc(&device, host.size() * sizeof(T)) != cudaSuccess) throw std::runtime_error("no memory");
  cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
  Timer timer;
  scale<T, Block><<<(host.size() + Block - 1) / Block, Block>>>(device, factor, host.size());
  cudaDeviceSynchronize();
  cudaMemcpy(host.data(), device, host.size() * sizeof(T), cudaMemcpyDeviceToHost);
  cudaFree(device);
  return timer.seconds();
}

}  // namespace bench

int main(int argc, char* argv[]) {
  std::map<std::string, double> times;
  std::mt19937 generator(42);
  std::uniform_real_distribution<float> uniform(0, 1);
  std::vector<float> a(1000);
  std::generate(a.begin(), a.end(), [&] { return uniform(generator); });
  std::vector<double> b(a.begin(), a.end());
  try {
    times["float"] = bench::run<float, 128>(a, 2.0f);
    times["double"] = bench::run<double, 64>(b, 2.0);
  } catch (const std::exception& error) {
    std::cerr << "failed: " << error.what() << std::endl;
    return 1;
  }
  for (const auto& [name, time] : times)
    std::cout << std::setw(10) << name << " " << std::fixed << std::setprecision(3) << time * 1e3 << " ms\n";
  std::ofstream out(argc > 1 ? argv[1] : "times.txt");
  std::stringstream text;
  text << std::accumulate(a.begin(), a.end(), 0.0f);
  out << text.str();
  std::thread worker([&] { std::sort(b.begin(), b.end()); });
  worker.join();
  return 0;
}
