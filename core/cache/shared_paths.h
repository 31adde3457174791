// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What entries hold of paths below the folders of a job's prefix map: the same for each place that the folders may
// have, as the image is (core/frontend/files/path_map.h).
#pragma once

#include <lathe/compiler.h>

#include "core/frontend/files/file_looks.h"
#include "core/frontend/files/path_map.h"

namespace lathe::detail {

/// `job` as its key has it. An entry of its map stays whole if the job's texts name its folder, or Lathe's own headers
/// lie in it: code may depend on where it is.
[[nodiscard]] Job sharedJob(Job job);
/// Binds what a compile learned to its place where a text of its outcome names a folder of the map: another place's
/// would name its own.
void bindToPlace(FileLooks& learned, const Result<CompileResult>& outcome, const PathMap& map);
/// An outcome with the paths of its diagnostics by PathMap::shared(); and by local() again.
[[nodiscard]] Result<CompileResult> sharedOutcome(Result<CompileResult> outcome, const PathMap& map);
[[nodiscard]] Result<CompileResult> localOutcome(Result<CompileResult> outcome, const PathMap& map);

}  // namespace lathe::detail
