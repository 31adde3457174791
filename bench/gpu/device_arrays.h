// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A case's arrays on a device.
#pragma once

#include <memory>

#include "case.h"

namespace lathe::bench::gpu {

class DeviceArrays {
 public:
  /// Allocates and uploads. Errors: as Device::allocateBytes() and Memory::upload().
  [[nodiscard]] static Result<DeviceArrays> make(const Device& device, const Case& subject, Host& contents);
  /// Gives the written arrays their first contents again. Errors: as Memory::upload().
  [[nodiscard]] Result<void> reset(const Case& subject, Host& contents);
  /// The written arrays; those that are only read are empty. Errors: as Memory::download().
  [[nodiscard]] Result<Host> read(const Case& subject) const;
  /// The arguments of a launch, with these arrays.
  [[nodiscard]] std::span<const void* const> arguments() const { return values_->pointers(); }

 private:
  std::vector<Memory> memory_;
  std::unique_ptr<ArgumentValues> values_;
};

}  // namespace lathe::bench::gpu
