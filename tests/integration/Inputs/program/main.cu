// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <cstdlib>

#include "scale.h"

int main(int count, char** words) {
  const int n = count > 1 ? std::atoi(words[1]) : 1000;
  float* values = nullptr;
  if (countDevices() == 0 || cudaMalloc(&values, n * sizeof(float)) != cudaSuccess) return 1;
  cudaMemset(values, 0, n * sizeof(float));
  scale<<<(n + 255) / 256, 256>>>(values, n);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  return 0;
}
