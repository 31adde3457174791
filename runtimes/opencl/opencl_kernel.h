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
  std::size_t subgroup = 0;  ///< items of the subgroups that its kernels count on; 0: none does
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
  /// Sets those arguments that differ from what the kernel has.
  ClStatus setArguments(const LaunchOptions& options, const void* const* arguments);

  struct Argument {
    bool isAddress;
    std::size_t bytes;
    std::vector<std::byte> set = {};  ///< the value that the kernel has, or none
  };
  ClStatus set(std::uint32_t index, const Argument& argument, const void* value) const;

  OpenClContext& context_;
  ClKernel kernel_;
  std::vector<Argument> arguments_;
  std::size_t sharedBytes_ = 0;  ///< that the kernel has been told of; 0: none yet
  bool dynamicShared_;
  bool oneRow_ = false;  ///< launched with groups of one row, of which it is passed the extents
  std::mutex mutex_;
  std::uint64_t knownMemory_ = 0;
  std::uint64_t argumentsMemory_ = 0;  ///< the state of the memory to which its addresses belong
};

}  // namespace lathe::detail
