// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Philox 4×32 for references, word by word as Salmon et al. define it ("Parallel random numbers: as easy as 1, 2, 3",
// SC 2011, section 3.3).
#pragma once

#include <array>
#include <cstdint>

namespace lathe::conformance {

using Words = std::array<std::uint32_t, 4>;

[[nodiscard]] inline Words philox(Words c, std::array<std::uint32_t, 2> k, unsigned rounds = 10) {
  const auto high = [](std::uint32_t m, std::uint32_t x) {
    return static_cast<std::uint32_t>(std::uint64_t{m} * x >> 32);
  };
  constexpr std::uint32_t m0 = 0xD2511F53, m1 = 0xCD9E8D57;
  for (unsigned round = 0; round < rounds; ++round) {
    c = {high(m1, c[2]) ^ c[1] ^ k[0], m1 * c[2], high(m0, c[0]) ^ c[3] ^ k[1], m0 * c[0]};
    k[0] += 0x9E3779B9;
    k[1] += 0xBB67AE85;
  }
  return c;
}

/// Word `position` of the stream (seed, sequence): cuRAND's order, too.
[[nodiscard]] inline std::uint32_t philoxWord(std::uint64_t seed, std::uint64_t sequence, std::uint64_t position) {
  const auto low = [](std::uint64_t x) { return static_cast<std::uint32_t>(x); };
  const std::uint64_t block = position / 4;
  return philox({low(block), low(block >> 32), low(sequence), low(sequence >> 32)},
                {low(seed), low(seed >> 32)})[position % 4];
}

}  // namespace lathe::conformance
