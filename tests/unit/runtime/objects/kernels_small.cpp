// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One small entry that uses each kind of relocation, for tests that try every way of breaking the object.
#include "core/group/entry/group_entry.h"

extern "C" {
float cosf(float) noexcept;
int visible = 7;
static const int numbers[] = {5, 6, 7};
static const int* const chosen[] = {numbers + 1, numbers + 2};

void small(const void* raw, const lathe::abi::GroupLaunch* launch) {
  int* const out = *static_cast<int* const*>(raw);
  *out = visible + *chosen[launch->groupId[0] & 1] + static_cast<int>(cosf(0.0f));
}
}
