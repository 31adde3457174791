// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Groups that one multiprocessor of an NVIDIA GPU runs at a time, by the numbers of the "CUDA C++ Programming Guide"
// (compute capabilities) and the rules by which registers and shared memory are given out.
#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

#include "tools/lathe/output/code_resources.h"

namespace lathe::tool {
namespace {

struct Multiprocessor {
  unsigned capability;  ///< 10 × major + minor
  std::uint32_t warps;
  std::uint32_t groups;
  std::uint32_t sharedKib;
};
constexpr auto known = std::to_array<Multiprocessor>({
    {50, 64, 32, 64},   {52, 64, 32, 96},   {53, 64, 32, 64},   {60, 64, 32, 64},   {61, 64, 32, 96},
    {62, 128, 32, 64},  {70, 64, 32, 96},   {72, 64, 32, 96},   {75, 32, 16, 64},   {80, 64, 32, 164},
    {86, 48, 16, 100},  {87, 48, 16, 164},  {89, 48, 24, 100},  {90, 64, 32, 228},  {100, 64, 32, 228},
    {103, 64, 32, 228}, {110, 48, 24, 228}, {120, 48, 24, 100}, {121, 48, 24, 100},
});
constexpr std::uint32_t warpItems = 32, registers = 65536, registerUnit = 256;

constexpr std::uint64_t roundUp(std::uint64_t value, std::uint64_t unit) {
  return (value + unit - 1) / unit * unit;
}

/// "sm_90a" → its numbers.
const Multiprocessor* multiprocessorOf(const std::string& arch) {
  constexpr std::string_view prefix = "sm_";
  unsigned capability = 0;
  if (!arch.starts_with(prefix)) return nullptr;
  (void)std::from_chars(arch.data() + prefix.size(), arch.data() + arch.size(), capability);
  const auto found = std::ranges::find(known, capability, &Multiprocessor::capability);
  return found == known.end() ? nullptr : &*found;
}

}  // namespace

std::optional<Occupancy> occupancyOf(const KernelResources& kernel, const std::string& arch, std::uint32_t items) {
  if (arch.starts_with("gfx")) return amdOccupancyOf(kernel, arch, items);
  const Multiprocessor* const processor = multiprocessorOf(arch);
  if (!processor || !kernel.registers || items == 0) return std::nullopt;
  constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t warps = (items + warpItems - 1) / warpItems;
  // Each quarter of the multiprocessor has its own registers; on 6.0 each half.
  const std::uint64_t parts = processor->capability == 60 ? 2 : 4;
  const std::uint64_t ofWarp = roundUp(std::max<std::uint64_t>(*kernel.registers, 1) * warpItems, registerUnit);
  const std::uint64_t byRegisters = registers / parts / ofWarp * parts / warps;
  const bool isNew = processor->capability >= 80;  // 1 KiB of each group's is the system's
  const std::uint64_t shared = roundUp(kernel.sharedBytes.value_or(0) + (isNew ? 1024 : 0), isNew ? 128 : 256);
  const std::uint64_t byShared = shared ? std::uint64_t{processor->sharedKib} * 1024 / shared : unlimited;
  Occupancy out;
  std::uint64_t least = unlimited;
  for (const auto& [groups, limit] :
       std::initializer_list<std::pair<std::uint64_t, const char*>>{{processor->warps / warps, "items"},
                                                                    {processor->groups, "groups"},
                                                                    {byRegisters, "registers"},
                                                                    {byShared, "shared memory"}}) {
    if (groups >= least) continue;
    least = groups;
    out.limit = limit;
  }
  out.groups = static_cast<std::uint32_t>(least);
  out.fraction = static_cast<double>(least * warps) / processor->warps;
  return out;
}

}  // namespace lathe::tool
