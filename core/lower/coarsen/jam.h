// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Groups jammed: a kernel whose items each do the work of the same item of several neighbouring groups, their loads
// issued together. Known as block coarsening (Ivanov et al., "Retargeting and Respecializing GPU Workloads for
// Performance Portability", CGO 2024); the control flow is that of unroll-and-jam.
//
//   before: define void @k(ptr %p, i32 %n) {             if (i(group) < n) p[i(group)] += 1; }
//   after:  define void @k$coarse2(ptr %p, i32 %n, i32 %groups) {
//             first = 2 * group;
//             if (first + 2 <= groups && i(first) < n && i(first + 1) < n) {
//               a = p[i(first)]; b = p[i(first + 1)]; p[i(first)] = a + 1; p[i(first + 1)] = b + 1;
//             } else for (g = first; g < min(first + 2, groups); ++g) { if (i(g) < n) p[i(g)] += 1; } }
#pragma once

#include <cstdint>

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/PassManager.h"

namespace lathe::detail {

/// A target's intrinsics, as far as jamming has to know them; null and empty where the module has none.
struct JamVocabulary {
  llvm::Function* groupId = nullptr;     ///< along x
  llvm::Function* groupCount = nullptr;  ///< along x
  llvm::Function* itemId = nullptr;      ///< along x
  llvm::Function* groupBarrier = nullptr;
  /// What may be asked of where an item runs: those above but the barrier, and what does not depend on the group.
  llvm::SmallPtrSet<const llvm::Function*, 16> positions;
  /// What items of a group or subgroup wait for each other by.
  llvm::SmallPtrSet<const llvm::Function*, 8> barriers;
  unsigned groupSpace = 0;  ///< the address space of a group's variables
};

/// Whether the groups of a kernel are independent, and their accesses free to be reordered against each other. It has
/// no volatile access, no call, no memory but what its parameters lead to and its group's variables of fixed size. An
/// atomic operation is on a group's variable, or no order and no result of it matters.
[[nodiscard]] bool canJam(const llvm::Function& kernel, const JamVocabulary& vocabulary);

/// The variables of its group that a function uses. It uses them in instructions, not in constants.
[[nodiscard]] llvm::SmallSetVector<llvm::GlobalVariable*, 4> groupVariablesOf(const llvm::Function& kernel,
                                                                              unsigned groupSpace);

/// A part of a kernel that is run for one group after the other: from behind `head`, whose branch depends on the group,
/// up to `exit`.
struct ApartRegion {
  llvm::BasicBlock* head;
  llvm::BasicBlock* exit;
  llvm::SmallSetVector<llvm::BasicBlock*, 8> blocks;
};

/// What of a kernel depends on its group's position along x or is the group's own, and how it is jammed. The kernel has
/// one return.
class JamPlan {
 public:
  JamPlan(llvm::Function& kernel, const JamVocabulary& vocabulary, llvm::FunctionAnalysisManager& analyses);

  /// Whether the kernel can be jammed: its groups take the same way through its loops and to what items do together,
  /// and it asks which it is.
  [[nodiscard]] bool possible() const { return possible_; }
  [[nodiscard]] bool varies(const llvm::Value& value) const { return varying_.contains(&value); }
  /// Regions that groups run one after the other, by their heads.
  [[nodiscard]] const llvm::MapVector<llvm::BasicBlock*, ApartRegion>& regions() const { return regions_; }
  [[nodiscard]] bool isApart(const llvm::BasicBlock& block) const;
  /// Blocks that leave the kernel for items beyond the data, and which successor stays in it.
  [[nodiscard]] const llvm::MapVector<llvm::BasicBlock*, unsigned>& guards() const { return guards_; }

 private:
  void add(const llvm::Instruction& instruction);
  void addOwn(const llvm::Function& kernel);
  void spread();
  class Control;
  bool addControl(Control& control);
  bool addRegion(llvm::BasicBlock& head, Control& control);

  const JamVocabulary& vocabulary_;
  bool possible_ = true;
  llvm::SmallPtrSet<const llvm::Value*, 32> varying_;
  llvm::SmallVector<const llvm::Value*, 32> unspread_;
  llvm::MapVector<llvm::BasicBlock*, ApartRegion> regions_;
  llvm::MapVector<llvm::BasicBlock*, unsigned> guards_;
};

/// Turns `kernel`, whose last parameter is the number of groups along x that a launch asked for, into one that does the
/// work of `groups` of them by the plan, which was made for it.
void jam(llvm::Function& kernel, const JamPlan& plan, unsigned groups, const JamVocabulary& vocabulary);

}  // namespace lathe::detail
