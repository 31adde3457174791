// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Digits of keys whose bits are in radix order (Traits::TwiddleIn): both zeros of floating-point numbers have the same.
#ifndef LATHE_CUB_RADIX_RANK_SORT_OPERATIONS_H
#define LATHE_CUB_RADIX_RANK_SORT_OPERATIONS_H

#include <cub/util_type.cuh>

namespace LATHE_CUB {

template <class K>
struct BFEDigitExtractor {
  unsigned bit_start, num_bits;
  LATHE_CUDA_BOTH BFEDigitExtractor(unsigned first = 0, unsigned count = 0) : bit_start(first), num_bits(count) {}
  template <class Bits>
  LATHE_CUDA_BOTH unsigned Digit(Bits ordered) const {
    const auto bits = detail::RadixKey<K>::sorted(ordered);
    return static_cast<unsigned>(bits >> bit_start) & ((1u << num_bits) - 1);
  }
};
template <class K>
struct ShiftDigitExtractor : BFEDigitExtractor<K> {
  using BFEDigitExtractor<K>::BFEDigitExtractor;
};

}  // namespace LATHE_CUB

#endif
