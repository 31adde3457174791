// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The generator of <lathe/device/random.h>: as a function, and as streams.
#include <lathe/device.h>

template <unsigned Rounds>
LATHE_KERNEL void philox(const lathe::random4* counters, const unsigned* keys, lathe::random4* out) {
  const unsigned i = lathe::global_id().x;
  out[i] = lathe::philox4x32<Rounds>(counters[i], keys[2 * i], keys[2 * i + 1]);
}

/// Nine words, from anywhere in a block, and what uniform() makes of the tenth and of two more.
LATHE_KERNEL void streams(unsigned long seed, unsigned* words, float* floats, double* doubles) {
  const unsigned i = lathe::global_id().x;
  lathe::random_stream random(seed, i, 3 * i);
  for (unsigned k = 0; k < 9; ++k) words[9 * i + k] = random();
  floats[i] = random.uniform();
  doubles[i] = random.uniform_double();
}
