// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of random.cpp. The vectors are the known answers that the generator's authors publish (Random123,
// tests/kat_vectors: philox4x32 of 7 and 10 rounds).
#include <algorithm>

#include "tests/conformance/suite/case.h"
#include "tests/conformance/suite/philox.h"

namespace lathe::conformance {
namespace {

const std::vector<Words> counters = {
    {0, 0, 0, 0}, {~0U, ~0U, ~0U, ~0U}, {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}};
const std::vector<std::uint32_t> keys = {0, 0, ~0U, ~0U, 0xa4093822, 0x299f31d0};

Case knownAnswers(const std::string& rounds, const std::vector<Words>& answers) {
  return {.name = "known_answers_" + rounds,
          .kernel = "philox<" + rounds + ">",
          .launch = {.grid = {1}, .group = {3}},
          .arguments = {array(counters), array(keys), zeros<Words>(3)},
          .reference = [=](Arguments& a, const Environment&) { std::ranges::copy(answers, a[2].as<Words>()); }};
}

constexpr std::uint64_t seed = 0xfedcba9876543210;
constexpr unsigned n = 64;

void streams(Arguments& a, const Environment&) {
  for (unsigned i = 0; i < n; ++i) {
    const auto word = [i](unsigned k) { return philoxWord(seed, i, 3 * i + k); };
    for (unsigned k = 0; k < 9; ++k) a[1].as<std::uint32_t>()[9 * i + k] = word(k);
    a[2].as<float>()[i] = static_cast<float>(word(9) >> 8) / 16777216.0F;
    const std::uint64_t bits = std::uint64_t{word(10)} << 32 | word(11);
    a[3].as<double>()[i] = static_cast<double>(bits >> 11) / 9007199254740992.0;
  }
}

}  // namespace

std::vector<Case> cases_kernels_random() {
  return {knownAnswers("7", {{0x5f6fb709, 0x0d893f64, 0x4f121f81, 0x4f730a48},
                             {0x5207ddc2, 0x45165e59, 0x4d8ee751, 0x8c52f662},
                             {0x4dfccaba, 0x190a87f0, 0xc47362ba, 0xb6b5242a}}),
          knownAnswers("10", {{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8},
                              {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd},
                              {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}}),
          {.name = "streams",
           .kernel = "streams",
           .launch = {.grid = {2}, .group = {n / 2}},
           .arguments = {value(seed), zeros<std::uint32_t>(9 * n), zeros<float>(n), zeros<double>(n)},
           .reference = streams}};
}

}  // namespace lathe::conformance
