// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <array>
#include <numeric>

#include "tests/conformance/suite/case.h"

namespace lathe::conformance {
namespace {

constexpr unsigned threads = 96, turnsOfAll = 9;

unsigned countedBy(unsigned t, unsigned n) {
  unsigned y = t;
  for (unsigned i = 0; i < n * t * n; ++i) y = y * 5 + 1;
  return y;
}

unsigned enteredBy(unsigned t, unsigned n) {
  unsigned y = t, turns = 0;
  bool first = (t & 1) != 0;
  do {
    for (unsigned j = 0; !first && j < (t & 3); ++j) {
      y = y * 5 + 1;
      if ((y & 2) != 0) break;
    }
    first = false;
    y ^= y >> 4;
  } while (++turns < n);
  return y + turns;
}

unsigned jumpedBy(unsigned t, unsigned n) {
  unsigned c = 0;
  for (bool atTop = t % 2 == 0;;) {
    if (atTop && (c += 3) > n) return c;
    c += 1;
    atTop = (c & 4) != 0;
    if (!atTop && c >= n) return c;
  }
}

unsigned goneOnBy(unsigned t, unsigned n) {
  unsigned i = t, sum = 0;
  while (i < 20 * n) i += threads;
  for (; i < 100 * n; i += 32) {
    unsigned y = i;
    for (unsigned a = 0; a < n; ++a) y = y * 5 + 1;
    sum ^= y;
  }
  return sum + i;
}

void readBehindBy(unsigned* out, unsigned t, unsigned n) {
  std::array<unsigned, 7> x;
  x.fill(t);
  for (unsigned i = 0; t >= 5 && i < n; i += 3) {
    for (int j = 0; j < 3; ++j) {
      std::rotate(x.begin(), x.begin() + 1, x.end());
      x.back() = x.front();
    }
    x.front() += i;
    out[1] = i;
  }
  out[0] = std::accumulate(x.begin(), x.end(), 0U);
}

template <class Function>
Case caseOf(const char* name, std::size_t columns, Function function) {
  return {.name = name,
          .kernel = name,
          .launch = {.group = {threads}},
          .arguments = {array(std::vector{static_cast<int>(turnsOfAll)}), zeros<unsigned>(threads * columns)},
          .reference = [=](Arguments& a, const DeviceInfo&) {
            for (unsigned t = 0; t < threads; ++t) function(a[1].as<unsigned>() + t * columns, t);
          }};
}

}  // namespace

std::vector<Case> cases_cuda_nested_loops() {
  constexpr unsigned n = turnsOfAll;
  return {caseOf("counted", 1, [](unsigned* out, unsigned t) { *out = countedBy(t, n); }),
          caseOf("waiting", 2,
                 [](unsigned* out, unsigned t) {
                   const unsigned each = t / 32 + 1;
                   for (unsigned i = 0; i < n; ++i) out[0] += each * ((t ^ 1) + i) + i * 100;
                   out[1] = n * each;
                 }),
          caseOf("together", 1, [](unsigned* out, unsigned t) { *out = (t + 1) * (n + n * (n - 1) / 2); }),
          caseOf("entered", 1, [](unsigned* out, unsigned t) { *out = enteredBy(t, n); }),
          caseOf("jumped", 1, [](unsigned* out, unsigned t) { *out = jumpedBy(t, n); }),
          caseOf("goneOn", 1, [](unsigned* out, unsigned t) { *out = goneOnBy(t, n); }),
          {.name = "readBehind",
           .kernel = "readBehind",
           .launch = {.group = {threads}},
           .arguments = {value(static_cast<int>(n)), value(0.0F), zeros<unsigned>(threads * 2)},
           .reference = [](Arguments& a, const DeviceInfo&) {
             for (unsigned t = 0; t < threads; ++t) readBehindBy(a[2].as<unsigned>() + t * 2, t, n);
           }}};
}

}  // namespace lathe::conformance
