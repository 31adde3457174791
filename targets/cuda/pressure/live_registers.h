// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <vector>

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"

namespace llvm {
class BasicBlock;
class Function;
class Instruction;
class Value;
}  // namespace llvm

namespace lathe::targets {

/// Registers above which the order of computations is changed. A multiprocessor has as many for each of 1,024 threads.
constexpr std::uint64_t manyRegisters = 64;
/// The registers that a thread can have.
constexpr std::uint64_t allRegisters = 255;

/// The registers of 32 bits that hold the result of `instruction`. Predicates have their own; an address in shared
/// memory takes one, as NVIDIA's assembler drops its upper half.
std::uint64_t registersOf(const llvm::Instruction& instruction);

/// The results of instructions that are needed in other blocks than their own, and how many registers the blocks of a
/// function take, as long as nothing in it is moved.
class LiveRegisters {
 public:
  explicit LiveRegisters(llvm::Function& function);

  /// Blocks that need more registers than a thread should have at some place, in the function's order.
  const std::vector<const llvm::BasicBlock*>& crowded() const { return crowded_; }
  /// True if the result of `instruction`, computed before `block`, is used in it or behind it.
  bool isLiveInto(const llvm::Instruction& instruction, const llvm::BasicBlock& block) const;
  /// The registers of all such results, and of the block's phis.
  std::uint64_t registersInto(const llvm::BasicBlock& block) const;
  /// True if that is so for a crowded block.
  bool crossesCrowd(const llvm::Instruction& instruction) const;

 private:
  void reachInto(unsigned number, llvm::BasicBlock& block);
  void reachOutOf(unsigned number, llvm::BasicBlock& block);
  std::uint64_t mostIn(const llvm::BasicBlock& block) const;

  struct Live {
    llvm::BitVector into, outOf;
  };
  std::vector<const llvm::Instruction*> results_;
  llvm::DenseMap<const llvm::Instruction*, unsigned> numbers_;
  llvm::DenseMap<const llvm::BasicBlock*, Live> blocks_;
  std::vector<const llvm::BasicBlock*> crowded_;
  llvm::BitVector crossing_;
};

}  // namespace lathe::targets
