// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime ABI table (runtime_abi.def) as data. No LLVM and no source file of its own: the runtime that loads images
// includes it, too.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/abi/device_abi.h"

namespace lathe::detail {

/// The part of Lathe that defines a function of the runtime ABI.
enum class RuntimeProvider : unsigned char {
  device,  ///< the target's device code
  group,   ///< the lowering of groups
  launch,  ///< lowering, of what the launch passes
  late,    ///< late lowering
  host,    ///< the runtime that loads the image
};

/// An identifier for each function, in the table's order.
enum class RuntimeId : std::uint16_t {
#define LATHE_RUNTIME(name, signature, provider, effects, meaning) name,
#include "core/abi/runtime_abi.def"
};

struct RuntimeEntry {
  RuntimeId id;
  std::string_view symbol;     ///< "__lathe_host_print"
  std::string_view signature;  ///< as AbiEntry's; t is bool
  RuntimeProvider provider;
  AbiEffect effects;
  std::string_view meaning;
};

namespace runtime_table {
using enum AbiEffect;
inline constexpr RuntimeEntry entries[] = {
#define LATHE_RUNTIME(name, signature, provider, effects, meaning) \
  {RuntimeId::name, "__lathe_" #name, signature, RuntimeProvider::provider, effects, meaning},
#include "core/abi/runtime_abi.def"
};
}  // namespace runtime_table

/// All functions, in the table's order.
constexpr std::span<const RuntimeEntry> runtimeAbi() {
  return runtime_table::entries;
}
[[nodiscard]] constexpr const RuntimeEntry& runtimeEntry(RuntimeId id) {
  return runtime_table::entries[static_cast<std::size_t>(id)];
}
/// The form of an entry with the effect `state` for kernels that have one: `__lathe_state_print` for `__lathe_print`.
/// Null for other entries.
[[nodiscard]] constexpr const RuntimeEntry* stateForm(AbiId id) {
  switch (id) {
    case AbiId::trap:
      return &runtimeEntry(RuntimeId::state_trap);
    case AbiId::assert_fail:
      return &runtimeEntry(RuntimeId::state_assert_fail);
    case AbiId::print:
      return &runtimeEntry(RuntimeId::state_print);
    case AbiId::allocate:
      return &runtimeEntry(RuntimeId::state_allocate);
    case AbiId::release:
      return &runtimeEntry(RuntimeId::state_release);
    case AbiId::grid_barrier:
      return &runtimeEntry(RuntimeId::state_grid_barrier);
    default:
      return nullptr;
  }
}
/// By symbol ("__lathe_host_print"); null if unknown.
[[nodiscard]] constexpr const RuntimeEntry* findRuntimeEntry(std::string_view symbol) {
  const auto* const at = std::ranges::find(runtime_table::entries, symbol, &RuntimeEntry::symbol);
  return at != std::end(runtime_table::entries) ? at : nullptr;
}

}  // namespace lathe::detail
