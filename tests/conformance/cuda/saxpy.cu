// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// y = a x + y, one element a thread.
__global__ void saxpy(int n, float a, const float* __restrict__ x, float* __restrict__ y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

template <typename T>
__global__ void axpy(int n, T a, const T* x, T* y) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] += a * x[i];
}
template __global__ void axpy<float>(int, float, const float*, float*);
template __global__ void axpy<double>(int, double, const double*, double*);
