// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One compilation, in this process and on this thread.
#pragma once

#include <lathe/compiler.h>

namespace lathe::detail {

class LibraryStore;
class TargetRegistry;

struct CompileEnvironment {
  const TargetRegistry& targets;
  LibraryStore& libraries;
  const HeaderResolver& headers;
};

Result<CompileResult> compileHere(const Job& job, const CompileRequest& request, const CompileEnvironment& environment);

}  // namespace lathe::detail
