// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checked mode between the core (core/sanitizer), which writes calls and constant descriptions into a kernel, and a
// runtime that has the functions (descriptor key `kernel.checks`). No LLVM here: both sides include this file. The
// names are what an image asks its loader for, so a layout changes only together with the functions' names.
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

/// The functions. `item` is the item's position in its group, x fastest.
namespace check {
/// void(item, group x, group y, group z): the group's first item begins.
inline constexpr const char* enter = "__lathe_check_enter";
/// void*(site, address, base, bytes, item): before an access of `bytes` bytes at `address`, which was computed from
/// `base`. Returns the address to use: that one, or memory that may be spoilt.
inline constexpr const char* access = "__lathe_check_access";
/// u64(base): where the memory begins that an argument of the launch points into, and its bytes. The same all launch
/// long, so that what is inside can be seen without a call.
inline constexpr const char* first = "__lathe_check_first";
inline constexpr const char* size = "__lathe_check_size";
/// void(site, item): before a barrier of the group.
inline constexpr const char* barrier = "__lathe_check_barrier";
/// void(item, u64 mask, items of a subgroup) before, void(item) behind a meeting of a subgroup's items.
inline constexpr const char* meet = "__lathe_check_subgroup";
inline constexpr const char* met = "__lathe_check_converged";
/// void(item): a fence.
inline constexpr const char* fence = "__lathe_check_fence";
/// void(site, item): before a further iteration of a loop that does the same again unless somebody else writes what it
/// reads at `site`. void(): behind the loop.
inline constexpr const char* wait = "__lathe_check_wait";
inline constexpr const char* waited = "__lathe_check_waited";
}  // namespace check

}  // namespace lathe::abi
