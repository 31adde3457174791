// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program that uses the skeleton of program.bpf.cpp, with its types.
#include <type_traits>

#include "program.h"

int main() {
  auto skeleton = program_bpf::Skeleton::open();
  if (!skeleton) return 3;
  const auto bias = skeleton->bias();
  static_assert(std::is_same_v<decltype(**bias), unsigned&>);
  **bias = 2;
  if (!skeleton->load()) return 3;
  program_bpf::Sum sum{40, 2, 0};
  unsigned long long sent = 0;
  auto sums = skeleton->sums([&](const program_bpf::Sum& record) { sent += record.sum; });
  const auto ran = skeleton->add()->testRun(sum);
  const lathe::bpf::Map<unsigned, program_bpf::Stats> stats = *skeleton->stats();
  const lathe::bpf::RawMap events = *skeleton->events();
  return ran && ran->value == 44 && sum.sum == 44 && **skeleton->total() == 44 && stats.findAll(0)->size() > 0 &&
                 events.kind() == "ringbuf" && sums && *sums->consume() == 1 && sent == 44 && skeleton->attach()
             ? 0
             : 1;
}
