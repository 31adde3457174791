// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linking programs (<lathe/executable.h>) in a worker.
#pragma once

#include "core/process/worker.h"

namespace lathe::detail {

/// Links a program in a worker.
extern const WorkerTask linkProgramTask;

}  // namespace lathe::detail
