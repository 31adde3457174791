// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exchanges through memory, such as shuffles, that do not need each other's results share their barriers.
#pragma once

namespace llvm {
class Function;
}

namespace lathe::detail {

/// Where a device library keeps what items of a subgroup tell each other: a group-shared variable of this name. An item
/// stores to its own place, meets the others at a subgroup barrier, loads from any place, and meets them again.
inline constexpr const char* exchangeName = "lathe_exchange";

/// Whether `function` uses that variable.
bool hasExchanges(const llvm::Function& function);

/// Reorders the exchanges within each block of `function`: those that do not wait for one another are made together,
/// each in places of its own. Before two shuffles of values that are both known,
///
///     store a, @exchange[own]; barrier; x = load @exchange[other]; barrier
///     store b, @exchange[own]; barrier; y = load @exchange[other]; barrier
///
/// and after
///
///     store a, @exchange[own]; store b, @exchange[own + size]; barrier
///     x = load @exchange[other]; y = load @exchange[other + size]; barrier
///
/// If the second needs x, three barriers are left: none between a load and a store to different places.
void batchShuffles(llvm::Function& function);

}  // namespace lathe::detail
