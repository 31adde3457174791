// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// XORWOW's and MRG32k3a's subsequences, sequences and offsets; the state of Philox; a block's Mersenne twister.
#include <curand_kernel.h>

__global__ void xorwow(unsigned long long seed, const unsigned long long* jumps, unsigned* out) {
  const unsigned i = threadIdx.x;
  curandStateXORWOW_t s;
  curand_init(seed * i, jumps[i], jumps[i + 1], &s);
  out[4 * i] = curand(&s);
  out[4 * i + 1] = curand(&s);
  skipahead_sequence(jumps[i + 2], &s);
  out[4 * i + 2] = curand(&s);
  skipahead(jumps[i], &s);
  out[4 * i + 3] = curand(&s);
}

__global__ void mrg32k3a(unsigned long long seed, const unsigned long long* jumps, unsigned* out) {
  const unsigned i = threadIdx.x;
  curandStateMRG32k3a_t s;
  // cuRAND has no matrices for subsequences from 2^51 on.
  curand_init(seed * i, jumps[i] >> 13, jumps[i + 1], &s);
  out[6 * i] = curand(&s);
  out[6 * i + 1] = curand(&s);
  skipahead_sequence(jumps[i + 2], &s);
  out[6 * i + 2] = curand(&s);
  skipahead_subsequence(jumps[i + 1] >> 13, &s);
  out[6 * i + 3] = curand(&s);
  skipahead(jumps[i], &s);
  out[6 * i + 4] = curand(&s);
  out[6 * i + 5] = static_cast<unsigned>(curand_MRG32k3a(&s));
}

__global__ void counters(const unsigned long long* jumps, uint4* out) {
  const unsigned i = threadIdx.x;
  curandStatePhilox4_32_10_t s;
  curand_init(1, jumps[i], 0, &s);
  Philox_State_Incr(&s, jumps[i + 1] >> 1);
  Philox_State_Incr(&s);
  Philox_State_Incr_hi(&s, jumps[i + 2]);
  out[i] = s.ctr;
}

/// `sets` is one structure of parameters, of which only set 3 is used.
__global__ void twister(const unsigned* words, const unsigned* set, mtgp32_kernel_params_t* sets,
                        curandStateMtgp32_t* s, unsigned* out) {
  const unsigned t = threadIdx.x;
  if (t == 0) {
    sets->pos_tbl[3] = set[0];
    sets->sh1_tbl[3] = set[1];
    sets->sh2_tbl[3] = set[2];
    sets->mask[0] = set[3];
    for (int k = 0; k < 16; ++k) {
      sets->param_tbl[3][k] = set[4 + k];
      sets->temper_tbl[3][k] = set[20 + k];
    }
    s->offset = 0;
    s->pIdx = 3;
    s->k = sets;
  }
  for (unsigned k = t; k < 351; k += blockDim.x) s->s[k] = words[k];
  __syncthreads();
  for (int round = 0; round < 20; ++round) out[round * 64 + t] = curand(s);
  out[20 * 64 + t] = curand_mtgp32_specific(s, static_cast<unsigned char>(t), 64);
  out[21 * 64 + t] = static_cast<unsigned>(curand_uniform(s) * 1048576.0f);
}
