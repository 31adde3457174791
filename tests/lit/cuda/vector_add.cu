// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A whole program as C programmers write it: host memory, device memory, an error macro, events, a check of the result.
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx 2> %t.cuda
// RUN: %if ptxas %{ %ptxas -arch=sm_80 %t.ptx -o %t.cubin %}
// RUN: %compile %s -t cpu -o %t.limg
// RUN: %lathe run %s -t cpu --grid 4 --group 256 -k addVectors --arg iota:f32[1000] --arg ones:f32[1000] --arg zeros:f32[1000] --arg 1000 --print 2:4 | FileCheck %s
// RUN: FileCheck %s --check-prefix=QUIET --allow-empty < %t.cuda
// QUIET-NOT: {{warning|remark|error}}
// CHECK: 1 2 3 4
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#define CHECK_CALL(call)                                                                      \
  do {                                                                                        \
    cudaError_t status = (call);                                                              \
    if (status != cudaSuccess) {                                                              \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status));         \
      exit(EXIT_FAILURE);                                                                     \
    }                                                                                         \
  } while (0)

__global__ void addVectors(const float* a, const float* b, float* c, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

static double now() {
  struct timeval t;
  gettimeofday(&t, NULL);
  return t.tv_sec + 1e-6 * t.tv_usec;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1 << 20;
  size_t bytes = n * sizeof(float);
  float* a = (float*)malloc(bytes);
  float* c = (float*)malloc(bytes);
  if (a == NULL || c == NULL) return EXIT_FAILURE;
  srand((unsigned)time(NULL));
  for (int i = 0; i < n; i++) a[i] = rand() / (float)RAND_MAX;
  memset(c, 0, bytes);
  float *da, *db, *dc;
  CHECK_CALL(cudaMalloc((void**)&da, bytes));
  CHECK_CALL(cudaMalloc(&db, bytes));
  CHECK_CALL(cudaMalloc(&dc, bytes));
  CHECK_CALL(cudaMemcpy(da, a, bytes, cudaMemcpyHostToDevice));
  CHECK_CALL(cudaMemcpy(db, a, bytes, cudaMemcpyHostToDevice));
  cudaEvent_t start, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  double begin = now();
  dim3 block(256), grid((n + block.x - 1) / block.x);
  cudaEventRecord(start, 0);
  addVectors<<<grid, block>>>(da, db, dc, n);
  cudaEventRecord(stop);
  CHECK_CALL(cudaGetLastError());
  CHECK_CALL(cudaDeviceSynchronize());
  float ms = 0;
  cudaEventElapsedTime(&ms, start, stop);
  CHECK_CALL(cudaMemcpy(c, dc, bytes, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; i++) {
    if (fabs(c[i] - 2 * a[i]) > 1e-5) {
      printf("wrong at %d\n", i);
      return 1;
    }
  }
  printf("%f ms, %f s\n", ms, now() - begin);
  cudaFree(da);
  free(a);
  return 0;
}
