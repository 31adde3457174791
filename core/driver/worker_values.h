// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A compile that a worker does for its caller: what travels between the two.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <lathe/compiler.h>

#include "core/driver/compile.h"
#include "core/frontend/reuse/front_reuse.h"
#include "core/process/worker.h"

namespace lathe::detail {

/// Compiles in a worker.
extern const WorkerTask compileTask;

/// What a worker may do that the public interface does not offer.
struct WorkerAccess {
  static Result<CompileResult> start(const Compiler& compiler, const Job& job, const CompileRequest& request,
                                     const CompileMode& mode);
  /// Whether a compile of `job` here uses what a key of this digest is of: a worker reads descriptors, plugins and
  /// device libraries anew, which may be others by then than its caller's.
  static bool hasKey(const Compiler& compiler, const Job& job, const std::string& digest);
  /// Keeps what a worker makes for all compiles where the caller does.
  static void keepPreludesIn(const Compiler& compiler, const CacheConfig& config);
};

/// A compile for a worker.
struct CompileCall {
  const Job& job;
  const CompileRequest& request;
  const CompilerConfig& config;  ///< its targetPath and workerProgram travel, of its cache what preludes are kept in
  const CompileMode& mode = {};
  std::string preludeFolder = {};  ///< the caller's cache folder; empty: it has none
};
/// The payload of compileTask; its answer is that of encodeCompileResult().
std::string encodeCompile(const CompileCall& call);
/// The same on the other side. Errors: Internal, and those of jobFromBytes().
struct DecodedCompile {
  Job job;
  CompileRequest request;  ///< in process, without a record
  CompilerConfig config;
  std::optional<CompileRecord> inputs;
  bool recorded = false;  ///< the caller wants a record
  bool scanOnly = false;
  bool logged = false;  ///< the caller wants to know of files
  bool told = false;    ///< the caller wants to know of progress
  std::optional<FrontendReuse> reuse;
  std::string key;  ///< CompileMode::key of the caller
  std::string preludeFolder;
  std::uint64_t preludeBytes = 0;
  bool preludesReadOnly = false;
};
Result<DecodedCompile> decodeCompile(std::string_view payload);

/// A message of compileTask.
std::string encodeProgress(const CompileProgress& progress);
/// Calls `told` with what is in such a message; one that cannot be read is dropped.
void tellProgress(std::string_view message, const std::function<void(const CompileProgress&)>& told);

}  // namespace lathe::detail
