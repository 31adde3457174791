// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For programs that serve as compile workers (`lathe worker` does): call serveWorker() from main and return its value.
#pragma once

#include <lathe/export.h>

namespace lathe {

/// Reads one call from `input` until its end, runs it and writes one answer to `output`. Returns an exit code.
LATHE_API int serveWorker(int input = 0, int output = 1);

}  // namespace lathe
