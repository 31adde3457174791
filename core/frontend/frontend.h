// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source → an LLVM module that stage `import` turns into portable IR. Entry points are found here, where C++ names and
// types are still known; each kernel carries its description as metadata "lathe.entry" (core/frontend/entry_layout.h).
#pragma once

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include <lathe/compiler.h>

namespace llvm {
class LLVMContext;
class Module;
}  // namespace llvm

namespace lathe::sdk {
struct Dialect;
}

namespace lathe::detail {

using sdk::Dialect;
class FileLog;
class InvocationCache;
class PreludeSource;
struct Descriptor;
struct FrontendReuse;

/// How one compile sees the machine's files.
struct FileAccess {
  std::vector<InputFile>* record = nullptr;  ///< what is read is appended to the first `recorded` of it
  std::size_t recorded = 0;                  ///< files that the job's sources before this one read
  FileLog* log = nullptr;                    ///< what is learned of the machine's files, for a cache
  const CompileRecord* replay = nullptr;     ///< these files exist and no others
};

/// What stands in Job::entries for every kernel that the source defines.
inline constexpr std::string_view everyKernel = "*";

/// An entry the job asked for and the function that is it.
struct NamedEntry {
  std::string name;
  std::string symbol;
};

/// A function with errors of its own, which an error-recovery compile declares only.
struct ErroneousFunction {
  std::string symbol;
  std::vector<SourceLocation> errors;
  std::vector<Note> chain;  ///< from the first call of it up to a kernel; stage validate fills it in
};

struct FrontendResult {
  std::unique_ptr<llvm::Module> module;
  /// One for each of Job::entries, in order; empty when the job names none.
  std::vector<NamedEntry> entries;
  std::vector<Diagnostic> warnings;
  /// What the source calls its kernels, templates among them.
  std::vector<std::string> kernelNames = {};
  // Of a second look.
  std::vector<ErroneousFunction> erroneousFunctions = {};
  std::vector<Diagnostic> diagnostics = {};  ///< in functions that Clang accepts
  bool namesAll = true;                      ///< false: `entries` name some of the kernels, and all are wanted
  unsigned readings = 1;  ///< how often Clang read the source: again for what shows at its end, or without a prelude
};

struct FrontendRequest {
  const Job& job;
  const Descriptor& descriptor;
  const HeaderResolver& headers;
  InvocationCache& invocations;
  FileAccess files = {};
  /// Only find out which files the source needs: preprocess it. The result has no module.
  bool scanOnly = false;
  /// The source is known to have errors: compile what is left without the functions they are in. Those errors are not
  /// reported again; the result is for finding others.
  bool errorRecovery = false;
  FrontendReuse* reuse = nullptr;     ///< runs that may be this one again; null: none
  std::string toolkit = {};           ///< the folder of the toolkit's headers; empty: none
  std::stop_token stop = {};          ///< the caller's
  std::string epoch = {};             ///< seconds since 1970 that `__DATE__` and `__TIME__` are of; empty: none
  PreludeSource* preludes = nullptr;  ///< of those that are not built in; null: they are read as text
};

/// Compiles C++ of `dialect` in process. Errors: SourceError, HeaderNotFound, UnknownKernel, LimitExceeded, with every
/// diagnostic Clang gave; Cancelled.
Result<FrontendResult> compileWithClang(const FrontendRequest& request, const Dialect& dialect,
                                        llvm::LLVMContext& context);

}  // namespace lathe::detail
