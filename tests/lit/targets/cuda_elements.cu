// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Members of local structures that are chosen at run time stay in registers: generators of random numbers hand out the
// words of a block one by one.
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx
// RUN: FileCheck %s --implicit-check-not=__local_depot < %t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_80 %t.ptx -o %t.cubin %}
// RUN: %lathe run %s -t cpu -k handedOut --grid 1 --group 1 --arg zeros:u32[10] --arg 1 --arg 10 --print 0:10 | FileCheck %s --check-prefix=RESULT
// CHECK-DAG: .entry handedOut(
// CHECK-DAG: .entry drawn(
// RESULT: 2 3 4 3 5 7 11 6 10 14
#include <curand_kernel.h>

struct Words {
  unsigned counter, at;
  uint4 words;
};

__device__ unsigned next(Words* s) {
  const unsigned out = s->at == 0 ? s->words.x : s->at == 1 ? s->words.y : s->at == 2 ? s->words.z : s->words.w;
  if (++s->at == 4) {
    ++s->counter;
    s->words = {s->counter * 3, s->counter * 5, s->counter * 7, s->counter * 11};
    s->at = 0;
  }
  return out;
}

extern "C" __global__ void handedOut(unsigned* out, unsigned first, int count) {
  Words state{.counter = 0, .at = first, .words = {1, 2, 3, 4}};
  for (int i = 0; i < count; ++i) out[i] = next(&state);
}

extern "C" __global__ void drawn(float* out, unsigned long long offset, int count) {
  curandStatePhilox4_32_10_t state;
  curand_init(7, threadIdx.x, offset, &state);
  for (int i = 0; i < count; ++i) out[i * blockDim.x + threadIdx.x] = curand_uniform(&state);
}
