// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Machine code of kernels that launch kernels, where NVIDIA's library for devices is not found: an error, and no file.
// REQUIRES: mount-namespace
// RUN: rm -f %t.cubin
// RUN: not unshare --mount --map-root-user sh -c 'mkdir -p /usr/local/cuda && mount -t tmpfs none /usr/local/cuda && env -u CUDA_HOME -u CUDA_PATH "$@"' sh %lathe compile %s -t cuda:sm_90 --emit cubin -o %t.cubin 2>&1 | FileCheck %s
// RUN: not ls %t.cubin
// CHECK: error: a cubin of {{.*}}: its kernels launch kernels or graphs, which needs libcudadevrt.a of NVIDIA's toolkit, and that was not found
// CHECK: hint: install the toolkit, or the Python package nvidia-cuda-runtime, and name its folder in CUDA_HOME
__global__ void child(int* out) { *out = 1; }
__global__ void parent(int* out) { child<<<1, 1>>>(out); }
