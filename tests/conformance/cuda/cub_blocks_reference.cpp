// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of cub_blocks.cu.
#include "tests/conformance/suite/case.h"

namespace lathe::conformance {
namespace {

constexpr int threads = 40, items = 3, count = threads * items;

struct Map {
  unsigned factor, summand;
};
Map compose(const Map& f, const Map& g) {
  return {f.factor * g.factor, f.summand * g.factor + g.summand};
}
Map mapOf(unsigned x) {
  return {2 * x + 1, x + 5};
}

void scans(Arguments& a, const DeviceInfo&) {
  const unsigned* const in = a[0].as<unsigned>();
  Map* const reduced = a[1].as<Map>();
  // Composed with the identity everything stays as it is.
  Map all = {1, 0}, own = {1, 0}, running = {3, 7};
  for (int i = 0; i < count; ++i) {
    all = compose(all, mapOf(in[i]));
    a[2].as<Map>()[i] = compose({3, 7}, all);
  }
  for (int thread = 0; thread < threads; ++thread) {
    if (thread > 0) a[3].as<Map>()[thread] = own;
    own = compose(own, mapOf(in[thread * items]));
    if (thread == 34) reduced[1] = own;
  }
  reduced[0] = reduced[2] = all;
  for (int i = 0; i < 2 * count; ++i) {
    a[4].as<Map>()[i] = running;
    running = compose(running, mapOf(in[i % count]));
  }
}

void histogram(Arguments& a, const DeviceInfo&) {
  for (int i = 0; i < count; ++i) {
    const unsigned bin = a[0].as<unsigned>()[i] % 21;
    ++a[1].as<unsigned>()[bin];
    a[2].as<unsigned>()[bin] += 2;
  }
}

void runs(Arguments& a, const DeviceInfo&) {
  unsigned& total = *a[3].as<unsigned>();
  for (int i = 0; i < count; ++i) {
    const unsigned value = a[0].as<unsigned>()[i];
    for (unsigned place = 0; place < 1 + value % 4; ++place) {
      a[1].as<unsigned>()[total] = value;
      a[2].as<unsigned>()[total++] = place;
    }
  }
}

}  // namespace

std::vector<Case> cases_cuda_cub_blocks() {
  std::vector<unsigned> in(count);
  for (unsigned i = 0; i < count; ++i) in[i] = (i * i * 2654435761u >> 7) % 1000;
  const LaunchOptions launch = {.grid = {1}, .group = {threads}};
  return {{.name = "reductions and scans",
           .kernel = "scans",
           .launch = launch,
           .arguments = {array(in), zeros<unsigned>(6), zeros<unsigned>(2 * count), zeros<unsigned>(2 * threads),
                         zeros<unsigned>(4 * count)},
           .reference = scans},
          {.name = "histograms",
           .kernel = "histogram",
           .launch = launch,
           .arguments = {array(in), zeros<unsigned>(21), zeros<unsigned>(21)},
           .reference = histogram},
          {.name = "runs",
           .kernel = "runs",
           .launch = launch,
           .arguments = {array(in), zeros<unsigned>(5 * count), zeros<unsigned>(5 * count), zeros<unsigned>(1)},
           .reference = runs}};
}

}  // namespace lathe::conformance
