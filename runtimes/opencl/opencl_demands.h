// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What code asks of a device beyond its version of SPIR-V or OpenCL C. Drivers refuse such code with messages of their
// own, build it and compute something else, or crash; so it is compared with what the device says before it is built.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include <lathe/image.h>

#include "runtimes/opencl/opencl_types.h"

namespace lathe::detail {

struct OpenClDevice;

struct OpenClDemands {
  bool doubles = false;
  bool longAtomics = false;  ///< of 64 bits
  bool clock = false;        ///< that a kernel reads
  std::size_t subgroup = 0;  ///< items of a subgroup that a kernel asks for; 0: none does
};

/// Of a module of SPIR-V, by its capabilities and execution modes. Bytes that are no module ask for nothing.
[[nodiscard]] OpenClDemands demandsOfModule(std::span<const std::byte> module);
/// Of a text in OpenCL C, by the extensions and attributes that Lathe writes.
[[nodiscard]] OpenClDemands demandsOfText(std::string_view text);

/// 0, or one of Lathe's own statuses (ClError) for the first demand that the device does not meet.
[[nodiscard]] ClStatus unmetDemand(const OpenClDemands& demands, const OpenClDevice& device);

}  // namespace lathe::detail
