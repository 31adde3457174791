// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The front ends of a job's sources, and their results as one program.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "core/frontend/frontend.h"

namespace lathe::detail {

/// The front end of one source.
struct SourceReader {
  const Dialect* dialect = nullptr;  ///< null: IR
  std::string toolkit = {};          ///< the folder of the toolkit's headers; empty: none
};

/// The program of all of a job's sources: `readers` has one for each, Job::source first. `request` is that of the whole
/// job; its `toolkit` is not used. Kernels that the job names are looked for in the sources that define one of that
/// name. Errors: those of the front ends, as one; those of linkModules(); UnknownKernel.
Result<FrontendResult> compileSources(const FrontendRequest& request, std::span<const SourceReader> readers,
                                      llvm::LLVMContext& context);

/// A job for front ends, which know the names of kernels and not what stands for all of them.
class NamedKernels {
 public:
  /// `job` outlives this.
  explicit NamedKernels(const Job& job);
  [[nodiscard]] const Job& job() const { return named_ ? *named_ : job_; }
  /// The front ends' result, whose entries are those that were named, as the first job meant it.
  [[nodiscard]] Result<FrontendResult> amongAll(Result<FrontendResult> found) const;

 private:
  const Job& job_;
  std::optional<Job> named_;  ///< without everyKernel, if that was there
};

}  // namespace lathe::detail
