// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random numbers without a state to keep: Philox 4×32 of Salmon, Moraes, Dror and Shaw ("Parallel random numbers: as
// easy as 1, 2, 3", SC 2011), a function from a counter of 128 bits and a key of 64 to 128 random bits.
#ifndef LATHE_DEVICE_RANDOM_H
#define LATHE_DEVICE_RANDOM_H

#include <lathe/device/abi.h>

namespace lathe {

/// Four words, of a counter or of random bits.
struct random4 {
  unsigned x, y, z, w;
};

/// The random bits of `counter` under the key (key0, key1).
template <unsigned Rounds = 10>
LATHE_INLINE random4 philox4x32(random4 counter, unsigned key0, unsigned key1) {
  for (unsigned round = 0; round < Rounds; ++round) {
    const unsigned long long a = 0xd2511f53ull * counter.x, b = 0xcd9e8d57ull * counter.z;
    counter = {static_cast<unsigned>(b >> 32) ^ counter.y ^ key0, static_cast<unsigned>(b),
               static_cast<unsigned>(a >> 32) ^ counter.w ^ key1, static_cast<unsigned>(a)};
    key0 += 0x9e3779b9u;
    key1 += 0xbb67ae85u;
  }
  return counter;
}

/// A stream of random words: seed and sequence choose it, so that every item may have its own. Streams of one seed do
/// not overlap within 2^66 words.
struct random_stream {
  LATHE_INLINE random_stream(unsigned long long seed, unsigned long long sequence, unsigned long long first = 0)
      : key0_(static_cast<unsigned>(seed)),
        key1_(static_cast<unsigned>(seed >> 32)),
        block_(first / 4),
        sequence_(sequence),
        next_(static_cast<unsigned>(first % 4)),
        words_(block()) {}

  /// 32 random bits.
  LATHE_INLINE unsigned operator()() {
    const unsigned out = next_ == 0 ? words_.x : next_ == 1 ? words_.y : next_ == 2 ? words_.z : words_.w;
    if (++next_ == 4) {
      next_ = 0;
      ++block_;
      words_ = block();
    }
    return out;
  }
  /// From 0, included, to 1, excluded; every multiple of 2^-24, or of 2^-53, is equally likely.
  LATHE_INLINE float uniform() { return static_cast<float>((*this)() >> 8) * 0x1p-24f; }
  LATHE_INLINE double uniform_double() {
    const unsigned long long high = (*this)(), low = (*this)();
    return static_cast<double>((high << 32 | low) >> 11) * 0x1p-53;
  }

 private:
  LATHE_INLINE random4 block() const {
    return philox4x32({static_cast<unsigned>(block_), static_cast<unsigned>(block_ >> 32),
                       static_cast<unsigned>(sequence_), static_cast<unsigned>(sequence_ >> 32)},
                      key0_, key1_);
  }

  unsigned key0_, key1_;
  unsigned long long block_, sequence_;
  unsigned next_;
  random4 words_;
};

}  // namespace lathe

#endif
