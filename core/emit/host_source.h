// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiling the host sources of programs (<lathe/executable.h>) in a worker.
#pragma once

#include "core/process/worker.h"

namespace lathe::detail {

/// Compiles host sources in a worker.
extern const WorkerTask hostSourceTask;

}  // namespace lathe::detail
