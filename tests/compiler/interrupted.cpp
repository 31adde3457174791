// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles that a jump ends, after a crash or a fatal error of LLVM's: what they had allocated is lost by design.
#include "jobs.h"

namespace {
bool interrupted = false;
}

void lathe::test::expectInterruptedCompiles() {
  interrupted = true;
}

/// LeakSanitizer, where it is linked, asks before it looks for leaks (<sanitizer/lsan_interface.h>).
extern "C" __attribute__((visibility("default"))) int __lsan_is_turned_off();
int __lsan_is_turned_off() {
  return interrupted ? 1 : 0;
}
