// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVRTC's options as parts of a job.
#pragma once

#include <span>
#include <string>

#include <lathe/job.h>
#include <lathe/result.h>

namespace lathe::nvrtc {

struct ProgramOptions {
  Options options;
  std::string arch = "sm_75";
  bool wantsCubin = false;  ///< the architecture is a real one
  bool hidesWarnings = false;
};

/// The options of a program; headers that come first are put into `source`. Errors: InvalidArgument, with the option's
/// name.
[[nodiscard]] Result<ProgramOptions> readOptions(std::span<const char* const> words, Source& source);

}  // namespace lathe::nvrtc
