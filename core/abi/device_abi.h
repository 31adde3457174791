// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device ABI table (device_abi.def) as data: what import accepts, what a descriptor may map, what lowering does.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace lathe::detail {

enum class AbiGroup : unsigned char { indexing, barrier, subgroup, atomic, memory, matrix, query, service };

/// How an entry is lowered where a descriptor says nothing.
enum class AbiLowering : unsigned char {
  target,    ///< by the descriptor's intrinsic map or the target's device.cpp; otherwise absent
  fallback,  ///< as target, but then by Lathe's own device code (core/device/abi.cpp), made of other entries
  generic,   ///< by the core, from LLVM instructions and the descriptor's scopes
  folded,    ///< replaced by a constant before retargeting
};

/// What a call of an entry does besides computing its result. A set of bits.
enum class AbiEffect : unsigned char {
  none = 0,
  convergent = 1,             ///< all items of its scope take part
  convergesSubgroup = 2 | 1,  ///< items of the subgroup wait for each other
  convergesGroup = 4 | 1,     ///< items of the group, or of more than it
  memory = 8,
  noreturn = 16,
  state = 32,  ///< where kernels have a state, through `__lathe_state_NAME`
};
constexpr AbiEffect operator|(AbiEffect a, AbiEffect b) {
  return static_cast<AbiEffect>(static_cast<unsigned char>(a) | static_cast<unsigned char>(b));
}

/// An identifier for each entry, in the table's order.
enum class AbiId : std::uint16_t {
#define LATHE_ABI(name, signature, group, lowering, effects, meaning) name,
#include "core/abi/device_abi.def"
};

struct AbiEntry {
  AbiId id;
  std::string_view name;       ///< without the prefix: "item_id_x"
  std::string_view symbol;     ///< "__lathe_item_id_x"
  std::string_view signature;  ///< result then parameters, one letter each: v i(32) l(64) q(128) h(16) b(8) f d p
  AbiGroup group;
  AbiLowering lowering;
  AbiEffect effects;
  std::string_view meaning;

  /// True if the entry has all bits of `effect`.
  [[nodiscard]] constexpr bool has(AbiEffect effect) const { return (effects | effect) == effects; }
};

/// All entries, in the table's order.
std::span<const AbiEntry> deviceAbi();
[[nodiscard]] const AbiEntry& abiEntry(AbiId id);
/// By symbol ("__lathe_item_id_x") or by name ("item_id_x"); null if unknown.
const AbiEntry* findAbiEntry(std::string_view symbolOrName);

}  // namespace lathe::detail
