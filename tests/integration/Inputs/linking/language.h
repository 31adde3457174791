// What CUDA C++ and a host compiler both read: the same two sources, once as device code and once as a plain program.
#pragma once
#ifndef __CUDACC__
#define __device__
#define __global__
#define __constant__
struct Position {
  int x;
};
extern Position blockIdx, blockDim, threadIdx;
#endif

struct Pair {
  int first;
  float second;
};

__device__ float scaled(int x);
__device__ int tagged(Pair pair);
extern __device__ float table[];
extern __device__ int seen;
