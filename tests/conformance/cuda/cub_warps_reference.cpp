// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reference of cub_warps.cu.
#include "tests/conformance/suite/case.h"

namespace lathe::conformance {
namespace {

struct Map {
  unsigned factor, summand;
};
Map compose(const Map& f, const Map& g) {
  return {f.factor * g.factor, f.summand * g.factor + g.summand};
}

struct Rows {
  unsigned* out;
  int thread;
  int row = 0;
  void put(unsigned number, bool valid = true) {
    if (valid) out[row * 64 + thread] = number;
    ++row;
  }
  void put(const Map& map, bool valid = true) {
    put(map.factor, valid);
    put(map.summand, valid);
  }
};

void ofWidth(const unsigned* in, unsigned* out, int width) {
  const auto mapOf = [&](int thread) { return Map{in[thread] * 2 + 1, in[thread] + 5}; };
  // Of threads `begin` to `end`, which are not none.
  const auto composed = [&](int begin, int end) {
    Map map = mapOf(begin);
    for (int i = begin + 1; i < end; ++i) map = compose(map, mapOf(i));
    return map;
  };
  const Map first = {3, 7};
  for (int thread = 0; thread < 64; ++thread) {
    if (width == 20 && thread % 32 >= width) continue;
    const int lane = thread % 32 % width, begin = thread - lane, end = begin + width;
    const auto flag = [&](int i) { return in[i] % 4 == 0; };
    const bool isFirst = lane == 0;
    int nextHead = thread + 1, nextTail = thread;
    while (nextHead < end && !flag(nextHead)) ++nextHead;
    while (nextTail < end - 1 && !flag(nextTail)) ++nextTail;
    unsigned sum = 0, segment = 0;
    for (int i = begin; i < end; ++i) sum += in[i];
    for (int i = thread; i < nextHead; ++i) segment += in[i];
    Rows rows{out, thread};
    rows.put(composed(begin, end), isFirst);
    rows.put(composed(begin, begin + width / 2 + 1), isFirst);
    rows.put(composed(thread, nextHead), flag(thread) || isFirst);
    rows.put(composed(thread, nextTail + 1), isFirst || flag(thread - 1));
    rows.put(sum, isFirst);
    rows.put(segment, flag(thread) || isFirst);
    const Map inclusive = composed(begin, thread + 1);
    const Map exclusive = isFirst ? first : composed(begin, thread);
    rows.put(inclusive);
    rows.put(composed(begin, end));
    rows.put(isFirst ? first : compose(first, exclusive));
    rows.put(exclusive, !isFirst);
    rows.put(compose(first, inclusive));
    rows.put(isFirst ? first : compose(first, exclusive));
    rows.put(mapOf(begin + 3));
  }
}

}  // namespace

std::vector<Case> cases_cuda_cub_warps() {
  std::vector<unsigned> in(64);
  for (unsigned i = 0; i < 64; ++i) in[i] = (i * i * 2654435761u >> 7) % 1000;
  const auto ofKernel = [&](const char* name, const char* kernel, int width) {
    return Case{.name = name,
                .kernel = kernel,
                .launch = {.grid = {1}, .group = {64}},
                .arguments = {array(in), zeros<unsigned>(64 * 24)},
                .reference = [width](Arguments& a, const DeviceInfo&) {
                  ofWidth(a[0].as<unsigned>(), a[1].as<unsigned>(), width);
                }};
  };
  return {ofKernel("logical warps of 32", "whole", 32), ofKernel("logical warps of 8", "eighths", 8),
          ofKernel("logical warps of 20", "twenties", 20)};
}

}  // namespace lathe::conformance
