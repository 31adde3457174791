// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Philox with cuRAND's names: the counter-based generator of Salmon, Moraes, Dror and Shaw ("Parallel random numbers:
// as easy as 1, 2, 3", 2011), ten rounds. A sequence is one upper half of the counter, of 2^66 numbers.
#ifndef LATHE_CUDA_RANDOM_PHILOX_H
#define LATHE_CUDA_RANDOM_PHILOX_H

#include <lathe/cuda/prelude.h>
#include <lathe/device/random.h>

struct curandStatePhilox4_32_10 {
  uint4 ctr, output;
  uint2 key;
  unsigned STATE;
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

LATHE_INLINE uint4 curand_Philox4x32_10(uint4 counter, uint2 key) {
  const lathe::random4 out = lathe::philox4x32({counter.x, counter.y, counter.z, counter.w}, key.x, key.y);
  return {out.x, out.y, out.z, out.w};
}

// Steps of the counter alone.
LATHE_INLINE void Philox_State_Incr(curandStatePhilox4_32_10* s, unsigned long long n) {
  const unsigned low = static_cast<unsigned>(n);
  s->ctr.x += low;
  const unsigned high = static_cast<unsigned>(n >> 32) + (s->ctr.x < low);
  s->ctr.y += high;
  if (s->ctr.y < high && ++s->ctr.z == 0) ++s->ctr.w;
}
LATHE_INLINE void Philox_State_Incr(curandStatePhilox4_32_10* s) {
  Philox_State_Incr(s, 1);
}
LATHE_INLINE void Philox_State_Incr_hi(curandStatePhilox4_32_10* s, unsigned long long n) {
  const unsigned low = static_cast<unsigned>(n);
  s->ctr.z += low;
  s->ctr.w += static_cast<unsigned>(n >> 32) + (s->ctr.z < low);
}

LATHE_INLINE void skipahead(unsigned long long n, curandStatePhilox4_32_10* s) {
  s->STATE += static_cast<unsigned>(n & 3);
  n /= 4;
  if (s->STATE > 3) {
    ++n;
    s->STATE -= 4;
  }
  Philox_State_Incr(s, n);
  s->output = curand_Philox4x32_10(s->ctr, s->key);
}
LATHE_INLINE void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10* s) {
  Philox_State_Incr_hi(s, n);
  s->output = curand_Philox4x32_10(s->ctr, s->key);
}
LATHE_INLINE void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                              curandStatePhilox4_32_10* s) {
  s->ctr = {0, 0, 0, 0};
  s->key = {static_cast<unsigned>(seed), static_cast<unsigned>(seed >> 32)};
  s->STATE = 0;
  s->boxmuller_flag = s->boxmuller_flag_double = 0;
  s->boxmuller_extra = 0;
  s->boxmuller_extra_double = 0;
  skipahead_sequence(subsequence, s);
  skipahead(offset, s);
}
LATHE_INLINE unsigned curand(curandStatePhilox4_32_10* s) {
  // Values are chosen, not places: those would keep the state in memory.
  const uint4 words = s->output;
  const unsigned low = s->STATE & 1 ? +words.y : +words.x, high = s->STATE & 1 ? +words.w : +words.z;
  const unsigned out = s->STATE & 2 ? high : low;
  if (++s->STATE == 4) {
    Philox_State_Incr(s);
    s->output = curand_Philox4x32_10(s->ctr, s->key);
    s->STATE = 0;
  }
  return out;
}
namespace lathe::detail {
/// Four numbers, drawn one after the other.
template <class Draw>
LATHE_INLINE uint4 fourOf(Draw draw) {
  uint4 out;
  out.x = draw();
  out.y = draw();
  out.z = draw();
  out.w = draw();
  return out;
}
}  // namespace lathe::detail
LATHE_INLINE uint4 curand4(curandStatePhilox4_32_10* s) {
  return lathe::detail::fourOf([&] { return curand(s); });
}

#endif
