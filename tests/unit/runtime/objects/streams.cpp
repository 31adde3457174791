// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Group entries that show when and where launches of a stream run.
#include "core/group/entry/group_entry.h"

using lathe::abi::GroupLaunch;

extern "C" {

unsigned __lathe_host_print(const char* format, const void* arguments, const char* types);

/// Prints "ran" on the thread that runs it.
void report(const void*, const GroupLaunch*) {
  __lathe_host_print("ran", nullptr, "");
}

/// value = value × factor + 1: what is left tells the order of launches.
struct StepParameters {
  unsigned* value;
  unsigned factor;
};
void step(const void* raw, const GroupLaunch*) {
  const auto p = *static_cast<const StepParameters*>(raw);
  *p.value = *p.value * p.factor + 1;
}

/// Waits for a flag that another stream sets.
struct FlagParameters {
  unsigned* flag;
};
void await(const void* raw, const GroupLaunch*) {
  unsigned* const flag = static_cast<const FlagParameters*>(raw)->flag;
  while (__atomic_load_n(flag, __ATOMIC_ACQUIRE) == 0) {
  }
}
void raise(const void* raw, const GroupLaunch*) {
  __atomic_store_n(static_cast<const FlagParameters*>(raw)->flag, 1u, __ATOMIC_RELEASE);
}
}
