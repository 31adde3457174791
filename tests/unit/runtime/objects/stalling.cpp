// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Group entries that wait for a flag. The test looks for the line by the comment at its end.
#include "core/group/entry/group_entry.h"

using lathe::abi::GroupLaunch;

extern "C" {

struct AwaitParameters {
  volatile int* flag;
};
void await(const void* raw, const GroupLaunch*) {
  const auto p = *static_cast<const AwaitParameters*>(raw);
  while (*p.flag == 0);  // waits here
}
}
