// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Guards such as `if (i < n)`: where items outside some range of x do nothing in a region, the item loop need not visit
// them, and its body needs no mask.
//
//     for x in 0 … size: if (first + x < n) body(x)      becomes      for x in 0 … min(size, n - first): body(x)
#pragma once

#include <functional>
#include <vector>

#include "core/group/emit/item_loop.h"

namespace llvm {
class BranchInst;
class ICmpInst;
class Instruction;
}  // namespace llvm

namespace lathe::detail {

class LiveAcrossBarriers;
class RegionGraph;

/// A branch at the beginning of a region one of whose sides does nothing.
struct Guard {
  const llvm::BranchInst* branch;
  unsigned active;  ///< the successor that does something
};

/// The guards that every item of `region` passes first, in order; none if an item that is turned away matters after
/// all.
std::vector<Guard> findGuards(const RegionGraph& graph, const LiveAcrossBarriers& live, unsigned region);

/// Collects what guards say about x.
class ItemRange {
 public:
  /// `found`: a value of the kernel's body as a region finds it before its item loop; null if it does not.
  using Found = std::function<llvm::Value*(const llvm::Instruction&)>;

  ItemRange(const ItemLoop& loop, Found found);
  ItemRange(const ItemRange&) = delete;
  ItemRange& operator=(const ItemRange&) = delete;

  /// Narrows the range as far as the guard's condition bounds x. True if the condition holds for all of the range.
  bool add(const Guard& guard);
  /// Makes the loop keep to the range.
  void apply();

 private:
  bool addCondition(llvm::Value& condition, bool holds, unsigned depth);
  bool addBound(llvm::ICmpInst& compare, bool holds);
  bool canHoist(const llvm::Value& value, unsigned depth) const;
  llvm::Value* hoist(llvm::Value& value);
  bool isXPlus(const llvm::Value& value, bool isSigned, unsigned depth) const;
  llvm::Value* offsetOf(llvm::Value& value, bool isSigned);

  const ItemLoop& loop_;
  Found found_;
  llvm::IRBuilder<> builder_;
  llvm::Value* low_;
  llvm::Value* high_;
  bool narrowed_ = false;
};

}  // namespace lathe::detail
