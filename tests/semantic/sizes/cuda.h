// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kernels.cu as CUDA C++.
#define GLOBAL
#define TABLE static __device__ const
#define DEVICE static __device__
