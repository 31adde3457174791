// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// __block_size__: the launch's shape as part of the kernel, from sm_90 on.
#if !defined __CUDA_ARCH__ || __CUDA_ARCH__ >= 900
extern "C" __global__ void __block_size__((128, 1, 1), (2, 1, 1)) sized_with_cluster(int* p) { p[threadIdx.x] = 1; }
extern "C" __global__ void __block_size__((64, 2, 1)) sized(int* p) { p[threadIdx.x] = 1; }
#endif
extern "C" __global__ void in_every_architecture(int* p) { p[threadIdx.x] = 1; }
