// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `lathe compile --emit executable`: programs of kernels (<lathe/executable.h>).
#pragma once

#include <string>

#include <lathe/compiler.h>
#include <lathe/executable.h>

#include "tools/lathe/output/output.h"

namespace lathe::tool {

/// Compiles `job` to an object and links it to a program at `path`; "-" is standard output. `host` are the program's
/// own sources, if any, which are compiled with the job's options. The image of the object, and what all compiles said
/// and read, are in the result. Errors: as Compiler::compile(), compileHostSources() and executable(); FileUnwritable.
[[nodiscard]] Result<CompileResult> writeExecutable(const Compiler& compiler, Job job, const CompileRequest& request,
                                                    ExecutableOptions options, HostRequest host,
                                                    const std::string& path, Output& out);

}  // namespace lathe::tool
