// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of async.cpp.
#include <array>

#include "tests/conformance/suite/case.h"

namespace lathe::conformance {
namespace {

constexpr unsigned items = 32, groups = 3, tiles = 7;

template <unsigned Bytes>
Case copied() {
  using Packet = std::array<unsigned char, Bytes>;
  std::vector<Packet> in(groups * items);
  const auto bytes = scrambled<unsigned char>(in.size() * Bytes, 80 + Bytes);
  std::memcpy(in.data(), bytes.data(), bytes.size());
  return {.name = "copied_" + std::to_string(Bytes),
          .kernel = "copied<packet" + std::to_string(Bytes) + ">",
          .launch = {.grid = {groups}, .group = {items}},
          .arguments = {array(in), zeros<Packet>(in.size())},
          .reference = [](Arguments& a, const Environment&) {
            for (unsigned i = 0; i < groups * items; ++i)
              a[1].as<Packet>()[i] = a[0].as<Packet>()[i / items * items + (i + 5) % items];
          }};
}

Case piped(unsigned stages) {
  return {.name = "piped_" + std::to_string(stages),
          .kernel = "piped<" + std::to_string(stages) + ">",
          .launch = {.grid = {1}, .group = {items}},
          .arguments = {counting<int>(tiles * items, 3, -11), zeros<int>(items), value(tiles)},
          .reference = [](Arguments& a, const Environment&) {
            for (unsigned i = 0; i < items; ++i)
              for (unsigned t = 0; t < tiles; ++t)
                a[1].as<int>()[i] += static_cast<int>(t + 1) * a[0].as<int>()[t * items + (i + 1) % items];
          }};
}

}  // namespace

std::vector<Case> cases_kernels_async() {
  return {copied<4>(), copied<8>(), copied<12>(), copied<16>(), piped(1), piped(2), piped(4)};
}

}  // namespace lathe::conformance
