// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs and maps that the kernel has at the moment, loaded by this process or any other, and the types that the
// kernel keeps of maps. RawMap::ofId() opens one of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <lathe/bpf_host.h>
#include <lathe/export.h>
#include <lathe/image.h>
#include <lathe/result.h>

namespace lathe::bpf {

/// A program in the kernel.
struct LoadedProgram {
  std::uint32_t id = 0;
  std::string name;                ///< up to 15 characters: the kernel cuts names
  std::string kind;                ///< "xdp"; empty if libbpf does not know it
  RunCounts counts;                ///< since it was loaded, while anyone's Statistics were on
  std::uint64_t loadedAt = 0;      ///< nanoseconds since the machine started
  std::uint32_t user = 0;          ///< who loaded it
  std::uint32_t instructions = 0;  ///< after the kernel's rewriting; 0 if it does not show them
  std::uint32_t machineBytes = 0;  ///< of its machine code; 0: interpreted
  std::uint32_t verified = 0;      ///< instructions that the verifier went through; 0 before Linux 5.16
};

/// A map in the kernel.
struct LoadedMap {
  std::uint32_t id = 0;
  std::string name;  ///< up to 15 characters
  std::string kind;  ///< "hash"; empty if libbpf does not know it
  std::uint32_t keyBytes = 0, valueBytes = 0, maxEntries = 0;
  bool hasTypes = false;  ///< the kernel has BTF of its keys and values
};

/// All of them, by number; what goes meanwhile is left out. Errors: DriverMissing, DriverTooOld, PermissionDenied,
/// DriverError.
[[nodiscard]] LATHE_API Result<std::vector<LoadedProgram>> loadedPrograms();
[[nodiscard]] LATHE_API Result<std::vector<LoadedMap>> loadedMaps();

/// The types of a map's keys and values.
struct MapTypes {
  TypeLayout key, value;  ///< opaque where nothing says them; the value of a map of variables is a record of them
};
/// Types of `map` as the kernel keeps them; before load(), as its object says. Errors: PermissionDenied, ImageCorrupt,
/// DriverError.
[[nodiscard]] LATHE_API Result<MapTypes> typesOf(const RawMap& map);

}  // namespace lathe::bpf
