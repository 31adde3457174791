// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every atomic function for every type it takes, each thread alone on cells of its own: old and new value are known. The
// last cells are plain accesses, which have no function in CUDA.
template <class T>
__device__ void operate(T* cells, T* old, T x, T y) {
  old[0] = atomicAdd(&cells[0], x);
  old[1] = atomicSub(&cells[1], x);
  old[2] = atomicAnd(&cells[2], x);
  old[3] = atomicOr(&cells[3], x);
  old[4] = atomicXor(&cells[4], x);
  old[5] = atomicMin(&cells[5], x);
  old[6] = atomicMax(&cells[6], x);
  old[7] = atomicExch(&cells[7], x);
  old[8] = atomicCAS(&cells[8], y, x);
  old[9] = cells[9];
  old[10] = 0;
  cells[10] = x;
}

template <class T>
__global__ void alone(const T* x, const T* y, T* cells, T* old) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  operate(cells + 11 * i, old + 11 * i, x[i], y[i]);
}

template <class T>
__global__ void alone_shared(const T* x, const T* y, T* cells, T* old) {
  __shared__ T mine[11 * 32];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  T* const own = mine + 11 * threadIdx.x;
  for (int k = 0; k < 11; ++k) own[k] = cells[11 * i + k];
  operate(own, old + 11 * i, x[i], y[i]);
  for (int k = 0; k < 11; ++k) cells[11 * i + k] = own[k];
}
