// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program's kernel as launches need it. OpenCL keeps the arguments in the kernel, so launches of one take turns.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include <lathe/runtime.h>

#include "runtimes/common/gpu/gpu_api.h"
#include "runtimes/opencl/opencl_context.h"

namespace lathe::detail {

/// A built program.
struct OpenClProgram {
  OpenClContext& context;
  ClProgram program;
};

/// Safe from any thread.
class OpenClKernel {
 public:
  /// Null if the driver gives none; `status` says why. `entry` describes the arguments.
  [[nodiscard]] static std::unique_ptr<OpenClKernel> create(const OpenClProgram& program, const EntryPoint& entry,
                                                            const char* symbol, ClStatus& status);
  OpenClKernel(const OpenClKernel&) = delete;
  OpenClKernel& operator=(const OpenClKernel&) = delete;
  ~OpenClKernel() { (void)context_.cl().ReleaseKernel(kernel_); }

  ClStatus facts(GpuFunctionFacts& out) const;
  /// Queues one launch. `arguments` has one pointer for each parameter, those that the entry hides included.
  ClStatus launch(const LaunchOptions& options, OpenClQueue* queue, const void* const* arguments);

 private:
  OpenClKernel(OpenClContext& context, ClKernel kernel, const EntryPoint& entry);
  ClStatus setArguments(const LaunchOptions& options, const void* const* arguments);

  /// Bytes of a value, or 0 for a pointer.
  using ValueBytes = std::size_t;

  OpenClContext& context_;
  ClKernel kernel_;
  std::vector<ValueBytes> parameters_;
  bool dynamicShared_;
  bool oneRow_ = false;  ///< launched with groups of one row, of which it is passed the extents
  std::mutex mutex_;
  std::uint64_t knownMemory_ = 0;
};

}  // namespace lathe::detail
