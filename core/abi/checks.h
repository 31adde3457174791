// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checked mode between the core (core/sanitizer), which writes calls and constant descriptions into a kernel, and a
// runtime that has the functions `check_*` of the runtime ABI (runtime_abi.def; descriptor key `kernel.checks`). No
// LLVM here: both sides include this file. The functions' names are what an image asks its loader for, so a layout
// changes only together with them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lathe::abi {

/// What an address was made from.
enum class CheckedKind : std::uint32_t {
  shared,         ///< a group-shared variable
  dynamicShared,  ///< shared memory that a launch sizes; its bytes are not in the description
  global,         ///< a variable of the program
  parameter,      ///< a parameter that is passed by value
  local,          ///< a variable of the item's own
  argument,       ///< memory whose address is an argument of the launch; its bytes are not in the description
};

/// Memory that a kernel names.
struct CheckedObject {
  const char* name;  ///< as in the source; never null
  std::uint64_t bytes;
  CheckedKind kind;
  std::uint32_t reserved;  ///< 0
};

/// What an access does, as bits.
namespace access {
inline constexpr std::uint32_t read = 1;
inline constexpr std::uint32_t write = 2;
inline constexpr std::uint32_t atomic = 4;
inline constexpr std::uint32_t ordering = 8;     ///< an atomic access that also orders others
inline constexpr std::uint32_t padding = 16;     ///< a copy, which also reads what lies between a structure's fields
inline constexpr std::uint32_t neighbours = 32;  ///< a read for the sake of what lies beside the bits that are written
inline constexpr std::uint32_t asWritten = 64;   ///< a volatile access
}  // namespace access

/// One access or barrier of the source.
struct CheckedSite {
  const char* file;  ///< null: not known
  std::uint32_t line;
  std::uint32_t column;
  std::uint32_t does;           ///< `access::`; 0 for a barrier
  std::uint32_t reserved;       ///< 0
  const CheckedObject* object;  ///< null: only known when the kernel runs
};

static_assert(sizeof(CheckedObject) == 24 && offsetof(CheckedObject, kind) == 16);
static_assert(sizeof(CheckedSite) == 32 && offsetof(CheckedSite, does) == 16 && offsetof(CheckedSite, object) == 24);

/// The item of code that does not know its item: functions that are not part of a kernel.
inline constexpr std::uint32_t noItem = ~std::uint32_t{0};

}  // namespace lathe::abi
