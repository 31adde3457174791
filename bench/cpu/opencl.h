// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A CPU device of an OpenCL implementation, opened at run time, with the few declarations of OpenCL 1.2 that a launch
// needs.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "workload.h"

namespace lathe::bench {

/// An implementation and where to find it.
struct OpenClVendor {
  std::string_view name;      ///< in the report
  std::string_view platform;  ///< what CL_PLATFORM_NAME begins with
  std::string library;        ///< the loader, or the implementation itself
};

/// The CPU device of an implementation with all kernels built. One thread's at a time. What goes wrong after open()
/// ends the program.
class OpenClPeer {
 public:
  /// Null, and the reason in `why`, if there is no such library or no such platform with a CPU.
  [[nodiscard]] static std::unique_ptr<OpenClPeer> open(const OpenClVendor& vendor, std::string_view source,
                                                        std::string& why);
  ~OpenClPeer();
  /// "3.1 on cpu-…"
  [[nodiscard]] const std::string& description() const noexcept;
  /// Makes a workload current: its buffers lie on the memory given, without a copy.
  void bind(const Workload& workload, std::span<float* const> memory);
  /// One launch of the current workload, and its end.
  void launch();
  /// Copies the current workload's output.
  void readOutput(std::span<float> out);

 private:
  struct State;
  explicit OpenClPeer(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace lathe::bench
