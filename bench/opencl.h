// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PoCL through the OpenCL loader, opened at run time, with the few declarations of OpenCL 1.2 that a launch needs.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "workload.h"

namespace lathe::bench {

/// PoCL's CPU device with all kernels built. One thread's at a time. What goes wrong after open() ends the
/// program.
class Pocl {
 public:
  /// Null, and the reason in `why`, if there is no loader or no PoCL platform with a CPU.
  [[nodiscard]] static std::unique_ptr<Pocl> open(std::string_view source, std::string& why);
  ~Pocl();
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
  explicit Pocl(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace lathe::bench
