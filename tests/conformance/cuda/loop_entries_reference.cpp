// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of loop_entries.cu: states and steps in place of jumps, and the host compiler.
#include "tests/conformance/suite/case.h"

namespace lathe::conformance {
namespace {

constexpr std::size_t n = 64;

void secondEntry(Arguments& a, const DeviceInfo&) {
  const auto* const in = a[0].as<std::uint32_t>();
  for (std::size_t t = 0; t < n; ++t) {
    std::uint32_t y = in[t] & 1 ? 7 : 1;
    for (std::uint32_t left = in[t] % 11; left-- > 0;) y = y * 3 + left;
    a[1].as<std::uint32_t>()[t] = y;
  }
}

void entriesInLoop(Arguments& a, const DeviceInfo&) {
  const auto* const in = a[0].as<std::uint32_t>();
  for (std::size_t t = 0; t < n; ++t) {
    std::uint32_t x = in[t], y = 7;
    int left = 30;
    for (int turn = 0; turn < 7 && left-- > 0; ++turn) {
      for (int place = x & 1 ? 3 : 1; place != 0;) {
        if (place == 2) {
          place = in[63 - t] & 1 ? 1 : 3;
        } else if (left-- <= 0) {
          place = 0;
        } else if (place == 1) {
          place = 2;
        } else {
          y = y * 31 + in[y & 3] + static_cast<std::uint32_t>(left);
          place = y & 4 ? 2 : 0;
        }
      }
      x = x * 5 + y + 3;
    }
    a[1].as<std::uint32_t>()[t] = y + x;
  }
}

void freeDefault(Arguments& a, const DeviceInfo&) {
  const auto* const in = a[0].as<std::uint32_t>();
  for (std::uint32_t t = 0; t < n; ++t) {
    const std::uint32_t which = in[t], m = in[23];
    std::uint32_t bytes[16];
    for (std::size_t i = 0; i < 16; ++i) bytes[i] = in[(t + i) % n] >> 3 & 255;
    std::uint32_t c = bytes[0];
    std::uint64_t sum = m * 0x100000001ULL, low = sum & 0x3ffffff;
    if (which == 7) {
      bytes[m & 15] = ((26457 / ((in[20] & 126) | 1)) ^ m) & 255;
    } else if (which == 8) {
      const std::uint64_t part = (bytes[3] ^ (8 < static_cast<int>(in[22]) ? 1U : 0U)) * t & 0xffff;
      sum = (sum & ~0xffff0000ULL) | part << 16;
    } else {
      sum = sum << 32 | in[22];
      low |= m;
      c = in[20] & 255;
    }
    std::uint32_t hash = 1;
    for (const std::uint32_t byte : bytes) hash = hash * 31 + byte;
    a[1].as<std::uint32_t>()[2 * std::size_t{t}] = c;
    a[1].as<std::uint32_t>()[2 * std::size_t{t} + 1] = hash + static_cast<std::uint32_t>(sum) +
                                                       static_cast<std::uint32_t>(sum >> 32) * 3 +
                                                       static_cast<std::uint32_t>(low) * 5;
  }
}

void earlyExit(Arguments& a, const DeviceInfo&) {
  const auto* const in = a[0].as<std::uint32_t>();
  for (std::uint32_t t = 0; t < n; ++t) {
    std::uint32_t d = in[t], cells[4] = {1, 2, 3, t};
    int left = static_cast<int>(in[0] & 15) + 9;
    for (bool first = true; left-- > 0; first = false) {
      (first ? cells[in[t] & 3] : d) |= 5;
      if (static_cast<std::uint64_t>(d * (t & 3)) * in[1] == 0) break;
    }
    a[1].as<std::uint32_t>()[t] = static_cast<std::uint32_t>(left) + cells[0] + cells[1] + cells[2] + cells[3] + d;
  }
}

}  // namespace

std::vector<Case> cases_cuda_loop_entries() {
  const auto made = [](const char* name, const char* kernel, const Argument& in, std::size_t count, auto reference) {
    return Case{.name = name,
                .kernel = kernel,
                .launch = {.group = {n}},
                .arguments = {in, zeros<std::uint32_t>(count * n)},
                .reference = reference};
  };
  const Argument some = array(scrambled<std::uint32_t>(n, 7)), inOrder = counting<std::uint32_t>(n);
  return {made("second_entry", "secondEntry", some, 1, secondEntry),
          made("in_loop", "entriesInLoop", some, 1, entriesInLoop),
          made("free_default", "freeDefault", inOrder, 2, freeDefault),
          made("early_exit", "earlyExit", some, 1, earlyExit)};
}

}  // namespace lathe::conformance
