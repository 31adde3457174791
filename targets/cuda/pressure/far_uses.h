// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"

namespace llvm {
class Function;
class Instruction;
class Use;
class Value;
}  // namespace llvm

namespace lathe::targets {

class LiveRegisters;

/// Uses of one value in other blocks than its own, where it may be computed again.
class FarUses {
 public:
  using Uses = llvm::SmallVector<llvm::Use*, 2>;
  using Places = llvm::MapVector<llvm::BasicBlock*, Uses>;

  FarUses(llvm::Function& function, const LiveRegisters& lives);

  /// Those of `value` by block. Nothing: there are none, or there are some that computing it again from `operand` is no
  /// gain for: in a loop around which it stands, in too many blocks, where `operand` has no register anyway, or such as
  /// `permits` has nothing for.
  [[nodiscard]] std::optional<Places> of(llvm::Instruction& value, const llvm::Value& operand,
                                         llvm::function_ref<bool(const llvm::Use&)> permits) const;
  [[nodiscard]] const llvm::DominatorTree& dominators() const { return dominators_; }
  /// The first instruction of `block` that has one of `uses`; its terminator, if they are in phis or other blocks.
  [[nodiscard]] static llvm::Instruction* firstOf(llvm::BasicBlock& block, llvm::ArrayRef<llvm::Use*> uses);

 private:
  bool isKeptFor(const llvm::Value& operand, const llvm::BasicBlock& place) const;

  const LiveRegisters& lives_;
  llvm::DominatorTree dominators_;
  llvm::LoopInfo loops_;
};

}  // namespace lathe::targets
