// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sobol's sequences with the direction vectors of van der Corput's: the points are the mirrored Gray codes 0 1 3 2 6 7 5 4.
// RUN: %lathe run %s -t cpu --grid 1 --group 1 -k points --arg zeros:u32[24] --print 0:24 | FileCheck %s
// RUN: %lathe run %s -t cpu --grid 1 --group 1 -k uniform --arg zeros:f64[8] --print 0:8 | FileCheck %s --check-prefix=UNIFORM
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_80 %t.ptx -o %t.cubin %}
// CHECK: 0 8 12 4 6 14 10 2
// From index 5 on, and after a skip of 2; shifted by 15.
// CHECK-SAME: 14 10 2 15 7 5 13 9
// CHECK-SAME: 15 7 3 11 9 1 5 13
// As cuRAND's header has it, a double of a word of 32 bits is above the word by a whole step, one of 64 bits by half.
// UNIFORM: 2.328306{{[0-9]*}}e-10 0.500000000232{{[0-9]*}} 0.750000000232{{[0-9]*}} 0.250000000232
// UNIFORM-SAME: 5.5511151{{[0-9]*}}e-17 0.5 0.75 0.25
#include <curand_kernel.h>

template <class Word>
__device__ void mirrored(Word (&vectors)[sizeof(Word) * 8]) {
  for (int i = 0; i < sizeof(Word) * 8; ++i) vectors[i] = Word(1) << (sizeof(Word) * 8 - 1 - i);
}

__global__ void points(unsigned* out) {
  curandDirectionVectors32_t vectors;
  mirrored(vectors);
  curandStateSobol32 plain, late;
  curand_init(vectors, 0, &plain);
  for (int i = 0; i < 8; ++i) out[i] = curand(&plain) >> 28;
  curand_init(vectors, 5, &late);
  for (int i = 0; i < 3; ++i) out[8 + i] = curand(&late) >> 28;
  skipahead(2, &late);
  for (int i = 0; i < 5; ++i) out[11 + i] = curand(&late) >> 28;
  curandStateScrambledSobol32 scrambled;
  curand_init(vectors, 0xf0000000u, 0, &scrambled);
  for (int i = 0; i < 8; ++i) out[16 + i] = curand(&scrambled) >> 28;
}

__global__ void uniform(double* out) {
  curandDirectionVectors32_t vectors;
  mirrored(vectors);
  curandStateSobol32 plain;
  curand_init(vectors, 0, &plain);
  for (int i = 0; i < 4; ++i) out[i] = curand_uniform_double(&plain);
  curandDirectionVectors64_t wide;
  mirrored(wide);
  curandStateSobol64 longer;
  curand_init(wide, 0, &longer);
  for (int i = 0; i < 4; ++i) out[4 + i] = curand_uniform_double(&longer);
}
