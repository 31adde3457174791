// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where an unrolled loop takes turns with the halves of a variable, an element that both arms of a condition read is read once.
// RUN: %compile %s -t cuda:sm_90 --emit ptx -o - | grep -c 'ld.shared' | FileCheck %s
// Two a step, and one at the end.
// CHECK: {{^}}9{{$}}
extern "C" __global__ void doubling(const float* in, float* out) {
  __shared__ float buffer[2][64];
  const int t = threadIdx.x;
  int from = 0;
  buffer[0][t] = in[t];
  __syncthreads();
  for (int offset = 1; offset < 16; offset *= 2) {
    const int to = 1 - from;
    buffer[to][t] = t >= offset ? buffer[from][t] + buffer[from][t - offset] : buffer[from][t];
    from = to;
    __syncthreads();
  }
  out[t] = buffer[from][t];
}
