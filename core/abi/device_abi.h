// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device ABI table (device_abi.def) as data: what import accepts, what a descriptor may map, what lowering does.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace lathe::detail {

enum class AbiGroup : unsigned char { indexing, barrier, subgroup, atomic, memory, query, service };

/// How an entry is lowered where a descriptor says nothing.
enum class AbiLowering : unsigned char {
  target,   ///< by the descriptor's intrinsic map or the target's device.cpp; otherwise absent
  fallback,  ///< as target, but then by Lathe's own device code (core/device/abi.cpp), made of other entries
  generic,  ///< by the core, from LLVM instructions and the descriptor's scopes
  folded,   ///< replaced by a constant before retargeting
};

struct AbiEntry {
  std::string_view name;       ///< without the prefix: "item_id_x"
  std::string_view symbol;     ///< "__lathe_item_id_x"
  std::string_view signature;  ///< result then parameters, one letter each: v i(32) l(64) q(128) h(16) b(8) f d p
  AbiGroup group;
  AbiLowering lowering;
  std::string_view effects;  ///< "none" (readnone), "convergent", "memory", "convergent memory", "noreturn"
  std::string_view meaning;
};

/// All entries, in the table's order.
std::span<const AbiEntry> deviceAbi();
/// By symbol ("__lathe_item_id_x") or by name ("item_id_x"); null if unknown.
const AbiEntry* findAbiEntry(std::string_view symbolOrName);

}  // namespace lathe::detail
