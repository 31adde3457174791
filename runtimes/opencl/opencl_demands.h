// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What code asks of a device beyond its version of SPIR-V or OpenCL C. Drivers refuse such code with messages of their
// own, build it and compute something else, or crash; so it is compared with what the device says before it is built.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <lathe/image.h>

#include "runtimes/opencl/opencl_types.h"

namespace lathe::detail {

struct OpenClDevice;

struct OpenClDemands {
  bool doubles = false;
  bool halves = false;       ///< that it computes in
  bool longAtomics = false;  ///< of 64 bits
  bool clock = false;        ///< that a kernel reads
  /// Bits of clFloatAtomic… that it uses of numbers of three kinds.
  std::uint64_t floatAtomics = 0, doubleAtomics = 0, halfAtomics = 0;
  std::vector<std::string> extensions;  ///< of SPIR-V, by name
  std::size_t subgroup = 0;             ///< items of a subgroup that a kernel asks for; 0: none does
};

/// Of a module of SPIR-V, by its capabilities and execution modes. Bytes that are no module ask for nothing.
[[nodiscard]] OpenClDemands demandsOfModule(std::span<const std::byte> module);
/// Of a text in OpenCL C, by the extensions and attributes that Lathe writes.
[[nodiscard]] OpenClDemands demandsOfText(std::string_view text);

/// The first demand that a device does not meet.
struct UnmetDemand {
  ClStatus status = 0;  ///< one of Lathe's own (ClError); 0: it meets them all
  std::string name;     ///< of an extension that is missing
};
[[nodiscard]] UnmetDemand unmetDemand(const OpenClDemands& demands, const OpenClDevice& device);

}  // namespace lathe::detail
