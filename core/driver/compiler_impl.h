// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state that all compiles of a lathe::Compiler share, and the ways that a compile can go.
#pragma once

#include <algorithm>
#include <stop_token>
#include <thread>
#include <vector>

#include <lathe/compiler.h>

#include "core/cache/compile_cache.h"
#include "core/cache/kept_preludes.h"
#include "core/driver/compile.h"
#include "core/frontend/clang/invocation_cache.h"
#include "core/lower/device_libraries.h"
#include "core/lower/machine_pool.h"
#include "core/process/background.h"
#include "core/process/worker.h"
#include "core/target/registry.h"

namespace lathe {

/// Thread-safe.
struct Compiler::Impl {
  Impl(CompilerConfig givenConfig, detail::TargetRegistry givenTargets, std::vector<detail::RemoteAddress> remotes)
      : config(std::move(givenConfig)),
        cache(config.cache, std::move(remotes)),
        preludes(config.cache),
        workers(config.workerProgram),
        targets(std::move(givenTargets)),
        variables(config.variables),
        libraries(variables) {}
  ~Impl() { ended.request_stop(); }

  /// The result out of the cache, or start()'s, with all files that it depends on.
  Result<CompileResult> compiled(const Job& job, const CompileRequest& request, detail::FrontendReuse* reuse);
  /// The same with the files that the sources read.
  Result<CompileResult> cached(const Job& job, const CompileRequest& request, detail::FrontendReuse* reuse);
  /// The key of `job` here and now. The errors of detail::keyOf().
  Result<detail::CompileKey> keyOf(const Job& job);
  /// What results of `job` that were kept are compared with. The job outlives it.
  detail::MachineNow machineFor(const Job& job) const;
  /// start()'s result, with all that it shows written into `folder`.
  Result<CompileResult> dumped(const Job& job, CompileRequest request, const std::string& folder);
  /// The compile itself, in this process or another.
  Result<CompileResult> start(const Job& job, const CompileRequest& request, const detail::CompileMode& mode);
  Result<CompileResult> inWorker(const Job& job, const CompileRequest& request, const detail::CompileMode& mode);
  Result<CompileResult> inProcess(const Job& job, const CompileRequest& request, const detail::CompileMode& mode);

  CompilerConfig config;
  detail::CompileCache cache;
  detail::KeptPreludes preludes;
  detail::Workers workers;
  detail::TargetRegistry targets;
  sdk::Variables variables;
  detail::LibraryStore libraries;
  detail::MachinePool machines;
  detail::InvocationCache invocations;
  std::stop_source ended;  ///< of pending compiles
  /// Pending compiles. It is destroyed first, and waits for them.
  detail::Background pending{std::max(std::thread::hardware_concurrency(), 1U)};
};

}  // namespace lathe
