// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MTGP32 with cuRAND's names: the Mersenne twister of Saito and Matsumoto ("Variants of Mersenne Twister suitable for
// graphic processors", 2010) with the exponent 11213. A block shares a state, which the host makes (cuRAND's
// curandMakeMTGP32KernelState), and all of its threads, at most 256, draw together.
#ifndef LATHE_CUDA_RANDOM_MTGP32_H
#define LATHE_CUDA_RANDOM_MTGP32_H

#include <lathe/cuda/prelude.h>

/// One set of parameters as the host's tables have it.
struct mtgp32_params_fast {
  int mexp, pos, sh1, sh2;
  unsigned tbl[16], tmp_tbl[16], flt_tmp_tbl[16], mask;
  unsigned char poly_sha1[21];
};
typedef mtgp32_params_fast mtgp32_params_fast_t;
/// All sets, as the device reads them.
struct mtgp32_kernel_params {
  unsigned pos_tbl[200], param_tbl[200][16], temper_tbl[200][16], single_temper_tbl[200][16];
  unsigned sh1_tbl[200], sh2_tbl[200], mask[1];
};
typedef mtgp32_kernel_params mtgp32_kernel_params_t;
struct curandStateMtgp32 {
  unsigned s[1024];
  int offset, pIdx;
  mtgp32_kernel_params* k;
};
typedef curandStateMtgp32 curandStateMtgp32_t;

namespace lathe::detail {

struct TwisterWords {
  unsigned fresh, tempering;
};
/// The new word of thread `t`: the recurrence's, written to `to`, and the old one that tempers it, folded to 4 bits.
LATHE_INLINE TwisterWords twist(curandStateMtgp32* s, unsigned t, unsigned to) {
  const mtgp32_kernel_params& sets = *s->k;
  const int set = s->pIdx;
  const unsigned at = t + static_cast<unsigned>(s->offset), pick = sets.pos_tbl[set];
  const auto word = [&](unsigned i) -> unsigned& { return s->s[i & 1023]; };
  unsigned x = (word(at) & sets.mask[0]) ^ word(at + 1);
  x ^= x << sets.sh1_tbl[set];
  const unsigned y = x ^ word(at + pick) >> sets.sh2_tbl[set];
  const unsigned fresh = y ^ sets.param_tbl[set][y & 15];
  word(to) = fresh;
  unsigned tempering = word(at + pick - 1);
  tempering ^= tempering >> 16;
  tempering ^= tempering >> 8;
  return {fresh, tempering & 15};
}
LATHE_INLINE void advance(curandStateMtgp32* s, bool isFirst, unsigned count) {
  __syncthreads();
  if (isFirst) s->offset = static_cast<int>((static_cast<unsigned>(s->offset) + count) & 1023);
  __syncthreads();
}

}  // namespace lathe::detail

/// Thread `index` of `n`, in a block whose other threads call it too.
LATHE_INLINE unsigned curand_mtgp32_specific(curandStateMtgp32* s, unsigned char index, unsigned char n) {
  const auto [fresh, tempering] = lathe::detail::twist(s, index, index + static_cast<unsigned>(s->offset) + 351);
  const unsigned out = fresh ^ s->k->temper_tbl[s->pIdx][tempering];
  lathe::detail::advance(s, index == 0, n);
  return out;
}
LATHE_INLINE unsigned curand(curandStateMtgp32* s) {
  const unsigned count = blockDim.x * blockDim.y * blockDim.z;
  const unsigned t = blockDim.z * blockDim.y * threadIdx.z + blockDim.x * threadIdx.y + threadIdx.x;
  const auto [fresh, tempering] = lathe::detail::twist(s, t, t + static_cast<unsigned>(s->offset) + 351);
  const unsigned out = fresh ^ s->k->temper_tbl[s->pIdx][tempering];
  lathe::detail::advance(s, t == 0, count);
  return out;
}

#endif
