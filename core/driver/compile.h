// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One compilation, in this process and on this thread.
#pragma once

#include <string>

#include <lathe/compiler.h>

namespace lathe::sdk {
class Variables;
}

namespace lathe::detail {

class FileLog;
struct FileLooks;
struct FrontendReuse;
class InvocationCache;
class LibraryStore;
class MachinePool;
class PreludeSource;
class TargetRegistry;
class Workers;

/// What a compile is for, where that is not to make an image of its job alone.
struct CompileMode {
  const CompileRecord* inputs = nullptr;  ///< of a replay
  bool scanOnly = false;                  ///< only the files that it reads are wanted
  FileLooks* files = nullptr;             ///< filled with what it learns of the machine's files
  FrontendReuse* reuse = nullptr;         ///< of a call with further jobs like it
  std::string key = {};                   ///< the digest under which the result is kept; empty: it is not
};

struct CompileEnvironment {
  const TargetRegistry& targets;
  const Workers& workers;
  LibraryStore& libraries;
  MachinePool& machines;
  InvocationCache& invocations;
  const HeaderResolver& headers;
  const sdk::Variables& variables;
  /// Of a replay: the only files, descriptors and libraries there are besides the built-in ones.
  const CompileRecord* inputs = nullptr;
  /// Find out what the source reads, and stop: for sources that the compiler does not survive.
  bool scanOnly = false;
  FileLog* log = nullptr;  ///< of the machine's files; null: nobody wants it
  FrontendReuse* reuse = nullptr;
  PreludeSource* preludes = nullptr;  ///< of those that are not built in
};

/// Whether code for the job can be generated only once in a process (the target's `codegen.own_process`).
bool needsOwnProcess(const TargetRegistry& targets, const Job& job, const CompileRecord* inputs);

Result<CompileResult> compileHere(const Job& job, const CompileRequest& request, const CompileEnvironment& environment);

}  // namespace lathe::detail
