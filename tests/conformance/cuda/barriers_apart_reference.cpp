// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of barriers_apart.cu.
#include "tests/conformance/suite/case.h"

namespace lathe::conformance {
namespace {

constexpr unsigned blocks = 3;

void twoBranches(Arguments& a, const Environment& where) {
  const unsigned* const in = a[0].as<unsigned>();
  const std::size_t n = where.launch.group.x;
  for (std::size_t at = 0; at < blocks * n; ++at) {
    const std::size_t block = at / n * n, i = at % n;
    a[1].as<unsigned>()[at] = i % 2 == 0 ? in[block + (i + 1) % n] * 3 : in[block + (i + n - 1) % n] * 5;
  }
}

void callsInTurn(Arguments& a, const Environment& where) {
  constexpr unsigned turns = 7;
  const unsigned* const in = a[0].as<unsigned>();
  const std::size_t n = where.launch.group.x;
  for (std::size_t at = 0; at < blocks * n; ++at)
    a[1].as<unsigned>()[at] = in[at / n * n + (at % n + turns) % n] + turns * (turns - 1) / 2;
}

void clusterOfOne(Arguments& a, const Environment& where) {
  const unsigned* const in = a[0].as<unsigned>();
  const std::size_t n = where.launch.group.x;
  for (std::size_t at = 0; at < blocks * n; ++at)
    a[1].as<unsigned>()[at] = in[at / n * n + (at % n + 1) % n] * blocks + static_cast<unsigned>(at / n);
}

Case apart(const std::string& kernel, std::function<void(Arguments&, const Environment&)> reference) {
  constexpr unsigned most = 128;
  const auto of = [](unsigned items) { return LaunchOptions{.grid = {blocks}, .group = {items}}; };
  return {.name = kernel,
          .kernel = kernel,
          .launch = of(most),
          .otherLaunches = {of(32), of(17), of(96)},
          .arguments = {array(scrambled<unsigned>(blocks * most, 71)), zeros<unsigned>(blocks * most)},
          .reference = std::move(reference)};
}

}  // namespace

std::vector<Case> cases_cuda_barriers_apart() {
  return {apart("twoBranches", twoBranches), apart("callsInTurn", callsInTurn), apart("clusterOfOne", clusterOfOne)};
}

}  // namespace lathe::conformance
