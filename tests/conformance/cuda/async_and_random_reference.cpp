// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of async_and_random.cu.
#include <array>

#include "tests/conformance/suite/case.h"
#include "tests/conformance/suite/philox.h"

namespace lathe::conformance {
namespace {

constexpr int batches = 6;
constexpr unsigned n = 64;

void piped(Arguments& a, const Environment&) {
  using Int4 = std::array<int, 4>;
  for (int b = 0; b < batches; ++b) {
    for (int t = 0; t < 32; ++t) {
      const Int4 in = a[0].as<Int4>()[b * 32 + (t ^ 1)];
      Int4& out = a[1].as<Int4>()[b * 32 + t];
      out = in;
      if (b % 4 == 2) out[1] = in[3];
      if (b % 4 == 3) out[3] = 0;
    }
  }
}

Case philoxCase(const std::string& name, std::uint64_t seed, std::uint64_t offset) {
  return {.name = "philox_" + name,
          .kernel = "philox",
          .launch = {.grid = {2}, .group = {n / 2}},
          .arguments = {value(seed), value(offset), zeros<std::uint32_t>(8 * n)},
          .reference = [=](Arguments& a, const Environment&) {
            for (unsigned i = 0; i < n; ++i)
              for (unsigned k = 0; k < 8; ++k)
                a[2].as<std::uint32_t>()[8 * i + k] = philoxWord(seed, i, offset + i + k + (k < 6 ? 0 : 5));
          }};
}

}  // namespace

std::vector<Case> cases_cuda_async_and_random() {
  return {{.name = "piped",
           .kernel = "piped",
           .launch = {.grid = {1}, .group = {32}},
           .arguments = {counting<int>(4 * 32 * batches, 7, -3), zeros<int>(4 * 32 * batches), value(batches)},
           .reference = piped},
          // The first words of seed 0 are the known answer of Random123 for all zeros.
          philoxCase("zero", 0, 0),
          philoxCase("far", 0x123456789abcdef, 0x3fffffffd)};
}

}  // namespace lathe::conformance
