// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of atomics.cu. Of contended cells only what does not depend on the order is compared.
#include <algorithm>

#include "tests/conformance/suite/case.h"

namespace lathe::conformance {
namespace {

constexpr int n = 200;  // of 256 threads

struct Cells {
  int add, sub, least, greatest, bitsAnd, bitsOr, bitsXor;
  unsigned inc, dec, unsignedGreatest;
  unsigned long long wideAdd, wideGreatest;
  long long wideLeast;
  float floatAdd;
  double doubleAdd;
  unsigned lock, guarded;
};
constexpr Cells start = {10, 20, 5, -5, -1, 0, 0x55, 3, 2, 7, 9, 11, 13, 0.25f, 0.125, 0, 0};

void everyAtomic(Arguments& a, const DeviceInfo&) {
  Cells& c = *a[0].as<Cells>();
  for (int i = 0; i < n; ++i) {
    c.add += i;
    c.sub -= 1;
    c.least = std::min(c.least, -i);
    c.greatest = std::max(c.greatest, i);
    c.bitsAnd &= ~(1 << (i & 15));
    c.bitsOr = static_cast<int>(static_cast<unsigned>(c.bitsOr) | 1u << (i & 31));
    c.bitsXor ^= i;
    c.inc = c.inc >= 6 ? 0 : c.inc + 1;
    c.dec = c.dec == 0 || c.dec > 6 ? 6 : c.dec - 1;
    c.unsignedGreatest = std::max(c.unsignedGreatest, 0x80000000u + static_cast<unsigned>(i));
    c.wideAdd += 1ull << 32;
    c.wideGreatest = std::max(c.wideGreatest, static_cast<unsigned long long>(i) << 40);
    c.wideLeast = std::min(c.wideLeast, -(static_cast<long long>(i) << 40));
    c.floatAdd += 1;
    c.doubleAdd += 0.5;
  }
}

/// The cell and what was taken out of it hold the inputs and the start, in some order.
void sortChain(Arguments& a) {
  std::vector<float> all(a[2].as<float>(), a[2].as<float>() + n);
  all.push_back(*a[0].as<float>());
  std::ranges::sort(all);
  *a[0].as<float>() = all[0];
  std::copy(all.begin() + 1, all.end(), a[2].as<float>());
}

}  // namespace

std::vector<Case> cases_cuda_atomics() {
  return {
      {.name = "every_function",
       .kernel = "everyAtomic",
       .launch = {.grid = {4}, .group = {64}},
       .arguments = {array(std::vector{start}), value(n)},
       .reference = everyAtomic},
      {.name = "maximum_by_compare_and_swap",
       .kernel = "floatMaximum",
       .launch = {.grid = {4}, .group = {64}},
       .arguments = {counting<float>(n, 0.5f, -20), array(std::vector{-3.0f}), value(n)},
       .reference = [](Arguments& a, const DeviceInfo&) { *a[1].as<float>() = -20 + 0.5f * (n - 1); }},
      {.name = "exchange_chain",
       .kernel = "exchangeChain",
       .launch = {.grid = {4}, .group = {64}},
       .arguments = {array(std::vector{1000.0f}), counting<float>(n, 2), zeros<float>(n), value(n)},
       .reference = [](Arguments& a, const DeviceInfo&) { std::copy_n(a[1].as<float>(), n, a[2].as<float>()); },
       .normalise = sortChain},
  };
}

}  // namespace lathe::conformance
