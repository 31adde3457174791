// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where pointers come from: the value that an address was computed from, and what that value names.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Value.h"
#include "llvm/IR/ValueHandle.h"

namespace lathe::detail {

class Provenance {
 public:
  /// The pointer that `pointer` was derived from by arithmetic. Where control flow chooses, instructions are added that
  /// choose alike.
  [[nodiscard]] llvm::Value& baseOf(llvm::Value& pointer);

 private:
  llvm::Value& chosen(llvm::Value& choice);
  llvm::DenseMap<llvm::Value*, llvm::Value*> bases_;  ///< of phis and selects
};

/// Whether `pointer` surely lies within its base's `size` bytes, `bytes` of it and all.
[[nodiscard]] bool surelyWithin(const llvm::Value& pointer, const llvm::Value& base, std::uint64_t size,
                                std::uint64_t bytes);

}  // namespace lathe::detail
