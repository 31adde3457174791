// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `--explain`: what a compile resolved to, setting by setting; and saving a job, which two commands do.
#pragma once

#include <string>

#include <lathe/compiler.h>

#include "tools/lathe/arguments/job_options.h"
#include "tools/lathe/output/output.h"

namespace lathe::tool {

/// The settings with origins in terms of this command line ("command line, --ftz"), and the files read.
[[nodiscard]] std::string explanation(const CompileRecord& record, const Job& job, const JobOptions& options,
                                      const Output& out);
[[nodiscard]] Json explanationJson(const CompileRecord& record, const Job& job, const JobOptions& options);

/// Compiles `job` into a bundle at `path` and reports it.
[[nodiscard]] ExitCode saveJob(const Compiler& compiler, const Job& job, const CompileRequest& request,
                               const std::string& path, Output& out);

}  // namespace lathe::tool
