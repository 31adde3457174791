// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One compilation, in this process and on this thread.
#pragma once

#include <lathe/compiler.h>

namespace lathe::detail {

class InvocationCache;
class LibraryStore;
class MachinePool;
class TargetRegistry;
class Workers;

struct CompileEnvironment {
  const TargetRegistry& targets;
  const Workers& workers;
  LibraryStore& libraries;
  MachinePool& machines;
  InvocationCache& invocations;
  const HeaderResolver& headers;
  /// Of a replay: the only files, descriptors and libraries there are besides the built-in ones.
  const CompileRecord* inputs = nullptr;
  /// Find out what the source reads, and stop: for sources that the compiler does not survive.
  bool scanOnly = false;
};

/// Whether code for the job can be generated only once in a process (the target's `codegen.own_process`).
bool needsOwnProcess(const TargetRegistry& targets, const Job& job, const CompileRecord* inputs);

Result<CompileResult> compileHere(const Job& job, const CompileRequest& request, const CompileEnvironment& environment);

}  // namespace lathe::detail
