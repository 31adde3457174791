// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device ABI table as data.
#include "core/abi/device_abi.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace lathe::detail {
namespace {

using enum AbiEffect;

constexpr AbiEntry entries[] = {
#define LATHE_ABI(name, signature, group, lowering, effects, meaning) \
  {AbiId::name, #name, "__lathe_" #name, signature, AbiGroup::group, AbiLowering::lowering, effects, meaning},
#include "core/abi/device_abi.def"
};

constexpr auto sortedIndex = [] {
  std::array<unsigned short, std::size(entries)> index{};
  for (std::size_t i = 0; i < index.size(); ++i) index[i] = static_cast<unsigned short>(i);
  std::sort(index.begin(), index.end(), [](auto a, auto b) { return entries[a].symbol < entries[b].symbol; });
  return index;
}();

const AbiEntry* findSymbol(std::string_view symbol) {
  const auto at = std::lower_bound(sortedIndex.begin(), sortedIndex.end(), symbol,
                                   [](auto i, std::string_view s) { return entries[i].symbol < s; });
  return at != sortedIndex.end() && entries[*at].symbol == symbol ? &entries[*at] : nullptr;
}

}  // namespace

std::span<const AbiEntry> deviceAbi() {
  return entries;
}

const AbiEntry& abiEntry(AbiId id) {
  return entries[static_cast<std::size_t>(id)];
}

const AbiEntry* findAbiEntry(std::string_view symbolOrName) {
  if (symbolOrName.starts_with("__lathe_")) return findSymbol(symbolOrName);
  const auto* at = std::ranges::find(entries, symbolOrName, &AbiEntry::name);
  return at != std::end(entries) ? at : nullptr;
}

}  // namespace lathe::detail
