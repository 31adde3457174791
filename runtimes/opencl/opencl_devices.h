// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The devices of an OpenCL library, of all its platforms, and which of them Lathe can use.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <lathe/runtime.h>

#include "runtimes/opencl/opencl_icd.h"

namespace lathe::detail {

/// A device that takes SPIR-V or OpenCL C, and shares virtual memory.
struct OpenClDevice {
  ClPlatform platform = nullptr;
  ClDevice device = nullptr;
  ClCreateProgramWithIL createProgram = nullptr;
  std::uint64_t svm = 0;           ///< bits of ClSvm
  std::vector<std::string> archs;  ///< that it takes and Lathe makes, best first, with each size of subgroups
  std::string newLanguage;         ///< the version of OpenCL C that text for cl3.0 is built as
  bool exactDivision = false;      ///< where a program in OpenCL C asks for it
  bool doubles = false, halves = false;
  bool clock = false;                      ///< one for each subgroup (cl_khr_kernel_clock)
  bool longAtomics = false;                ///< of 64 bits
  std::uint64_t floatAtomics = 0;          ///< bits of clFloatAtomic…, of float
  std::uint64_t doubleAtomics = 0;         ///< the same of double
  std::uint64_t halfAtomics = 0;           ///< and of halves
  std::vector<std::size_t> subgroupSizes;  ///< that a kernel can ask for, or gets unasked
  /// Asks for the size that a kernel got, where it cannot ask for one itself (no cl_intel_required_subgroup_size); else
  /// null.
  ClGetKernelSubGroupInfo subgroupQuery = nullptr;
  /// Extensions of SPIR-V that it takes; none where it does not say (cl_khr_spirv_queries).
  std::optional<std::vector<std::string>> spirvExtensions;
  DeviceInfo info;
};

struct OpenClDevices {
  std::vector<OpenClDevice> usable;
  std::vector<std::string> others;  ///< the rest, each with its reason
};

/// Asks all platforms. A platform that fails is among the others. Devices before OpenCL 2.1 have its functions by
/// extensions.
[[nodiscard]] OpenClDevices findOpenClDevices(const OpenClEntryPoints& library);

/// The versions in what CL_DEVICE_IL_VERSION says ("SPIR-V_1.2 SPIR-V_1.4"), as architectures that Lathe makes code for
/// ("spv1.4"), best first.
[[nodiscard]] std::vector<std::string> spirvArchs(std::string_view ilVersion);

/// The versions of OpenCL C, as 100 * major + minor, as architectures that Lathe makes text for ("cl3.0"), best first.
[[nodiscard]] std::vector<std::string> languageArchs(const std::vector<unsigned>& versions, bool genericPointers);

/// These architectures, and those of them with subgroups of another size than the usual 32 ("spv1.4-sg16"), for each
/// size that the device offers and Lathe makes code for. Where it has none of 32 the others are first: a kernel that
/// needs no subgroups is the same in all.
[[nodiscard]] std::vector<std::string> withSubgroupSizes(std::vector<std::string> archs,
                                                         const std::vector<std::size_t>& sizes);

/// The items of a subgroup of an architecture.
[[nodiscard]] std::uint32_t subgroupItemsOf(std::string_view arch);

}  // namespace lathe::detail
