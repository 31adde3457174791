// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers after Khronos's SPIR-V specification 1.6: 2.3 (physical layout), 3.6 (execution modes), 3.31 (capabilities);
// the clock's is SPV_KHR_shader_clock's, those of atomics of floats are SPV_EXT_shader_atomic_float_add's, …_min_max's
// and …_float16_add's.
#include "runtimes/opencl/opencl_demands.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>

#include "runtimes/opencl/opencl_devices.h"

namespace lathe::detail {
namespace {

constexpr std::uint32_t magic = 0x07230203, headerWords = 5;
enum Operation : std::uint32_t { opExtension = 10, opExecutionMode = 16, opCapability = 17, opFunction = 54 };
enum Capability : std::uint32_t { float16 = 9, float64 = 10, int64Atomics = 12, shaderClock = 5055 };

/// What a capability asks of atomics of floats.
struct FloatAtomic {
  std::uint32_t capability;
  std::uint64_t OpenClDemands::* kind;
  std::uint64_t bit;
};
constexpr FloatAtomic atomicsOfFloats[] = {
    {5612, &OpenClDemands::floatAtomics, clFloatAtomicMinMax},
    {5613, &OpenClDemands::doubleAtomics, clFloatAtomicMinMax},
    {5616, &OpenClDemands::halfAtomics, clFloatAtomicMinMax},
    {6033, &OpenClDemands::floatAtomics, clFloatAtomicAdd},
    {6034, &OpenClDemands::doubleAtomics, clFloatAtomicAdd},
    {6095, &OpenClDemands::halfAtomics, clFloatAtomicAdd},
};
constexpr std::uint32_t subgroupSizeMode = 35;

}  // namespace

OpenClDemands demandsOfModule(std::span<const std::byte> module) {
  OpenClDemands out;
  const auto word = [&](std::size_t index) {
    std::uint32_t value = 0;
    if ((index + 1) * sizeof(value) <= module.size())
      std::memcpy(&value, module.data() + index * sizeof(value), sizeof(value));
    return value;
  };
  if (word(0) != magic) return out;
  const std::size_t words = module.size() / sizeof(std::uint32_t);
  for (std::size_t at = headerWords; at < words;) {
    const std::uint32_t length = word(at) >> 16, operation = word(at) & 0xFFFF;
    if (length == 0 || operation == opFunction) break;
    if (operation == opExtension) {
      const std::size_t begin = (at + 1) * sizeof(std::uint32_t),
                        end = std::min((at + length) * sizeof(std::uint32_t), module.size());
      const std::string text(reinterpret_cast<const char*>(module.data()) + begin, end - begin);
      out.extensions.emplace_back(text.c_str());
    } else if (operation == opCapability) {
      for (const FloatAtomic& one : atomicsOfFloats)
        if (word(at + 1) == one.capability) out.*one.kind |= one.bit;
      out.halves |= word(at + 1) == float16;
      out.doubles |= word(at + 1) == float64;
      out.longAtomics |= word(at + 1) == int64Atomics;
      out.clock |= word(at + 1) == shaderClock;
    } else if (operation == opExecutionMode && word(at + 2) == subgroupSizeMode) {
      out.subgroup = word(at + 3);
    }
    at += length;
  }
  return out;
}

OpenClDemands demandsOfText(std::string_view text) {
  OpenClDemands out;
  out.doubles = text.find("cl_khr_fp64") != std::string_view::npos;
  // By the extension, or by the types that OpenCL C 2.0 and later have for them.
  for (const std::string_view word : {"cl_khr_int64_base_atomics", "atomic_long", "atomic_ulong"})
    out.longAtomics |= text.find(word) != std::string_view::npos;
  constexpr std::string_view attribute = "intel_reqd_sub_group_size(";
  if (const std::size_t at = text.find(attribute); at != std::string_view::npos)
    std::from_chars(text.data() + at + attribute.size(), text.data() + text.size(), out.subgroup);
  return out;
}

UnmetDemand unmetDemand(const OpenClDemands& demands, const OpenClDevice& device) {
  if (demands.doubles && !device.doubles) return {ClError::noDoubles, {}};
  if (demands.halves && !device.halves) return {ClError::noHalves, {}};
  if (demands.longAtomics && !device.longAtomics) return {ClError::noLongAtomics, {}};
  if (demands.clock && !device.clock) return {ClError::noClock, {}};
  if ((demands.floatAtomics & ~device.floatAtomics) != 0 || (demands.doubleAtomics & ~device.doubleAtomics) != 0 ||
      (demands.halfAtomics & ~device.halfAtomics) != 0)
    return {ClError::noFloatAtomics, {}};
  if (demands.subgroup != 0 && std::ranges::find(device.subgroupSizes, demands.subgroup) == device.subgroupSizes.end())
    return {ClError::noSubgroupSize, {}};
  // A device that does not list its extensions may have any.
  for (const std::string& extension : demands.extensions)
    if (device.spirvExtensions &&
        std::ranges::find(*device.spirvExtensions, extension) == device.spirvExtensions->end())
      return {ClError::noExtension, extension};
  return {};
}

}  // namespace lathe::detail
