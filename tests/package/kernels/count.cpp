// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host side of count.bpf.cpp: prints 41 × 1 + STEP, or "not permitted" where the kernel loads nothing.
#include <cstdio>

#include "count.skel.h"

int main() {
  auto skeleton = count::Skeleton::open();
  if (!skeleton) return std::fputs(skeleton.error().render().c_str(), stderr), 1;
  if (auto loaded = skeleton->load(); !loaded)
    return std::puts(loaded.error().code == lathe::ErrorCode::PermissionDenied ? "not permitted" : "failed"), 0;
  const auto counts = skeleton->counts();
  if (!counts || !counts->set(7, 1)) return 2;
  count::Sum sum{41, 0};
  const auto program = skeleton->add();
  if (!program || !program->testRun(sum)) return 3;
  std::printf("%u\n", sum.sum);
}
