// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sobol's sequences with cuRAND's names: the direction vectors are the caller's (cuRAND's host library hands them out),
// the points come in the order of Antonov and Saleev's Gray code ("An economic method of computing LP-tau sequences",
// 1979), and a scrambled sequence is one shifted by exclusive or. Every draw is one point of one dimension.
#ifndef LATHE_CUDA_RANDOM_SOBOL_H
#define LATHE_CUDA_RANDOM_SOBOL_H

#include <lathe/cuda/prelude.h>

namespace lathe::detail {
template <class Word>
struct SobolState {
  Word i, x, c;
  Word direction_vectors[sizeof(Word) * 8];
};
template <class Word>
LATHE_INLINE void moveTo(SobolState<Word>* s, Word index) {
  s->i = index;
  s->x = s->c;
  Word gray = index ^ index >> 1;
  for (unsigned bit = 0; gray != 0; ++bit, gray >>= 1)
    if (gray & 1) s->x ^= s->direction_vectors[bit];
}
template <class Word>
LATHE_INLINE void startSobol(SobolState<Word>* s, const Word* vectors, Word shift, Word offset) {
  for (unsigned bit = 0; bit < sizeof(Word) * 8; ++bit) s->direction_vectors[bit] = vectors[bit];
  s->c = shift;
  moveTo(s, offset);
}
template <class Word>
LATHE_INLINE Word nextSobol(SobolState<Word>* s) {
  const Word point = s->x;
  // The last point's index is all ones: it takes the last vector.
  const int bit = __builtin_ctzg(static_cast<Word>(~s->i), static_cast<int>(sizeof(Word)) * 8 - 1);
  s->x ^= s->direction_vectors[bit];
  ++s->i;
  return point;
}
}  // namespace lathe::detail

typedef unsigned curandDirectionVectors32_t[32];
typedef unsigned long long curandDirectionVectors64_t[64];
struct curandStateSobol32 : lathe::detail::SobolState<unsigned> {};
struct curandStateScrambledSobol32 : lathe::detail::SobolState<unsigned> {};
struct curandStateSobol64 : lathe::detail::SobolState<unsigned long long> {};
struct curandStateScrambledSobol64 : lathe::detail::SobolState<unsigned long long> {};
typedef curandStateSobol32 curandStateSobol32_t;
typedef curandStateScrambledSobol32 curandStateScrambledSobol32_t;
typedef curandStateSobol64 curandStateSobol64_t;
typedef curandStateScrambledSobol64 curandStateScrambledSobol64_t;

LATHE_INLINE void curand_init(const unsigned* vectors, unsigned offset, curandStateSobol32* s) {
  lathe::detail::startSobol(s, vectors, 0u, offset);
}
LATHE_INLINE void curand_init(const unsigned* vectors, unsigned scramble, unsigned offset,
                              curandStateScrambledSobol32* s) {
  lathe::detail::startSobol(s, vectors, scramble, offset);
}
LATHE_INLINE void curand_init(const unsigned long long* vectors, unsigned long long offset, curandStateSobol64* s) {
  lathe::detail::startSobol(s, vectors, 0ull, offset);
}
LATHE_INLINE void curand_init(const unsigned long long* vectors, unsigned long long scramble, unsigned long long offset,
                              curandStateScrambledSobol64* s) {
  lathe::detail::startSobol(s, vectors, scramble, offset);
}

#define LATHE_CUDA_SOBOL(State, Word)                      \
  LATHE_INLINE Word curand(State* s) {                     \
    return lathe::detail::nextSobol(s);                    \
  }                                                        \
  LATHE_INLINE void skipahead(Word n, State* s) {          \
    lathe::detail::moveTo(s, static_cast<Word>(s->i + n)); \
  }
LATHE_CUDA_SOBOL(curandStateSobol32, unsigned)
LATHE_CUDA_SOBOL(curandStateScrambledSobol32, unsigned)
LATHE_CUDA_SOBOL(curandStateSobol64, unsigned long long)
LATHE_CUDA_SOBOL(curandStateScrambledSobol64, unsigned long long)
#undef LATHE_CUDA_SOBOL

#endif
