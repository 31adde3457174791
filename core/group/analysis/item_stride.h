// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a value changes from one item to its neighbour along x.
#pragma once

#include <cstdint>
#include <optional>

namespace llvm {
class Value;
}

namespace lathe::detail {

class GroupUniformity;

/// The difference of `value` between neighbouring items along x (of an address, in bytes) where it is the same constant
/// for all of them; 32-bit index arithmetic is taken not to wrap. None if it is not constant or not known.
[[nodiscard]] std::optional<std::int64_t> itemStride(const llvm::Value& value, const GroupUniformity& uniformity);

}  // namespace lathe::detail
