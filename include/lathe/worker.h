// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compile workers: child processes that compile for another process (Isolation::worker). `lathe worker` is one. A
// program of your own becomes one by calling serveWorker() from main; CompilerConfig::workerProgram then names it.
#pragma once

#include <lathe/export.h>

namespace lathe {

/// Reads one call from the file descriptor `input` until its end, runs it and writes one answer to the descriptor
/// `output`; closes neither. Returns the process's exit code: 0 if the answer was written (it may be an error), 1 if it
/// could not be, 2 if nothing could be read. The process is killed when the thread that started it ends. Call it once,
/// from the main thread, before starting others.
LATHE_API int serveWorker(int input = 0, int output = 1);

}  // namespace lathe
