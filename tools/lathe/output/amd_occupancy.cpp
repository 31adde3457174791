// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Waves that one execution unit (SIMD) of an AMD GPU has room for, and groups of a compute unit, or, from gfx10 on, of
// a work-group processor. The numbers and the rules by which registers and memory are given out are those of LLVM's
// AMDGPU back end (AMDGPUBaseInfo.cpp), whose kernel-resource-usage remark says the same.
#include <algorithm>
#include <charconv>
#include <limits>
#include <string_view>

#include "tools/lathe/output/code_resources.h"

namespace lathe::tool {
namespace {

/// What groups of one compute unit, or work-group processor, share.
struct ComputeUnit {
  std::uint64_t waves;         ///< of an execution unit
  std::uint64_t registers;     ///< vector registers of an execution unit's lane
  std::uint64_t registerUnit;  ///< by which these are given out
  std::uint64_t sharedBytes;
  std::uint64_t groups;  ///< of several waves, which need a barrier
  bool scalarsCount;     ///< scalar registers are shared by the waves
  static constexpr std::uint64_t executionUnits = 4;
};

/// "gfx90a", "gfx11-generic" → its generation and the two characters behind that. Zero where the name has no such form.
struct Name {
  unsigned major = 0;
  std::string_view rest;
};
Name nameOf(std::string_view arch) {
  Name out;
  if (!arch.starts_with("gfx")) return out;
  arch.remove_prefix(3);
  const bool isGeneric = arch.ends_with("-generic");
  // Of a processor the last two characters are minor version and stepping.
  const std::size_t digits = isGeneric ? arch.find('-') : arch.size() < 3 ? 0 : arch.size() - 2;
  (void)std::from_chars(arch.data(), arch.data() + digits, out.major);
  out.rest = arch.substr(digits);
  return out;
}

std::optional<ComputeUnit> computeUnitOf(std::string_view arch, std::uint64_t wave) {
  const Name name = nameOf(arch);
  const bool isWide = wave == 64;
  if (name.major == 9) {
    const bool isCdna =
        name.rest == "0a" || name.rest.starts_with('4') || name.rest.starts_with('5') || name.rest.starts_with("-4");
    const std::uint64_t shared = name.rest == "50" ? 160 : 64;
    if (isCdna) return ComputeUnit{8, 512, 8, shared << 10, 16, true};
    return ComputeUnit{10, 256, 4, 64 << 10, 16, true};
  }
  if (name.major < 10 || name.major > 12) return std::nullopt;
  // Processors with half as many registers again.
  const bool hasMore = arch == "gfx1100" || arch == "gfx1101" || arch == "gfx1151" || arch == "gfx1200" ||
                       arch == "gfx1201" || arch == "gfx12-generic";
  const bool isFirst = name.major == 10 && (name.rest.starts_with('1') || name.rest.starts_with("-1"));
  const std::uint64_t registers = hasMore ? 1536 : 1024, unit = hasMore ? 24 : isFirst ? 8 : 16;
  const std::uint64_t narrow = isWide ? 2 : 1;
  return ComputeUnit{isFirst ? 20U : 16U, registers / narrow, unit / narrow, 128 << 10, 32, false};
}

/// Waves of an execution unit by the scalar registers of one, before gfx10.
std::uint64_t wavesByScalars(std::uint64_t scalars) {
  if (scalars <= 80) return 10;
  if (scalars <= 88) return 9;
  return scalars <= 100 ? 8 : 7;
}

constexpr std::uint64_t upTo(std::uint64_t value, std::uint64_t unit) {
  return (value + unit - 1) / unit * unit;
}

}  // namespace

std::optional<Occupancy> amdOccupancyOf(const KernelResources& kernel, const std::string& arch, std::uint32_t items) {
  const std::uint64_t wave = kernel.subgroupItems.value_or(0);
  if (items == 0 || !kernel.registers || (wave != 32 && wave != 64)) return std::nullopt;
  const auto unit = computeUnitOf(arch, wave);
  if (!unit) return std::nullopt;
  constexpr std::uint64_t units = ComputeUnit::executionUnits;
  const std::uint64_t waves = (items + wave - 1) / wave;
  const std::uint64_t most = unit->waves * units / waves;
  const std::uint64_t byBarriers = waves == 1 ? most : unit->groups;
  const std::uint64_t byShared = unit->sharedBytes / std::max<std::uint64_t>(kernel.sharedBytes.value_or(0), 1);
  const std::uint64_t given = upTo(std::max<std::uint64_t>(*kernel.registers, 1), unit->registerUnit);
  const std::uint64_t byRegisters = std::max<std::uint64_t>(unit->registers / given, 1);
  const std::uint64_t byScalars = unit->scalarsCount ? wavesByScalars(kernel.scalarRegisters.value_or(0)) : unit->waves;
  // Groups in waves of an execution unit: those of a last group that is there in part count.
  const auto wavesOf = [&](std::uint64_t groups) {
    return std::min((std::min(groups, most) * waves + units - 1) / units, unit->waves);
  };
  Occupancy out;
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  for (const auto& [room, limit] :
       std::initializer_list<std::pair<std::uint64_t, const char*>>{{wavesOf(most), "items"},
                                                                    {wavesOf(byBarriers), "groups"},
                                                                    {byRegisters, "registers"},
                                                                    {byScalars, "scalar registers"},
                                                                    {wavesOf(byShared), "shared memory"}}) {
    if (room >= least) continue;
    least = room;
    out.limit = limit;
  }
  out.waves = static_cast<std::uint32_t>(least);
  const std::uint64_t groups = std::min({least * units / waves, most, byBarriers, byShared});
  out.groups = static_cast<std::uint32_t>(groups);
  out.fraction = static_cast<double>(groups * waves) / static_cast<double>(unit->waves * units);
  return out;
}

}  // namespace lathe::tool
