// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The derivative of an expression by the item id, over the operations that index arithmetic consists of.
#include "core/group/analysis/item_stride.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/Instructions.h"

#include "core/group/analysis/device_calls.h"
#include "core/group/analysis/uniformity.h"

namespace lathe::detail {
namespace {

using Stride = std::optional<std::int64_t>;

class StrideFinder {
 public:
  explicit StrideFinder(const GroupUniformity& uniformity) : uniformity_(uniformity) {}

  Stride of(const llvm::Value& value) {
    const auto* const instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    if (!instruction || uniformity_.isUniform(value)) return 0;
    if (const auto axis = itemIdAxisOf(*instruction)) return *axis == 0 ? 1 : 0;
    if (const auto found = known_.find(instruction); found != known_.end()) return found->second;
    if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(instruction)) return ofPhi(*phi);
    const Stride stride = ofOperation(*instruction);
    known_[instruction] = stride;
    return stride;
  }

 private:
  static Stride combine(Stride a, Stride b, int sign) {
    if (!a || !b) return std::nullopt;
    return *a + sign * *b;
  }

  /// A loop's phi has the stride it begins with if every iteration adds the same for all items.
  Stride ofPhi(const llvm::PHINode& phi) {
    known_[&phi] = std::nullopt;
    const auto* const entry = llvm::find_if(phi.blocks(), [&](const llvm::BasicBlock* block) {
      return !uniformity_.dominators().dominates(phi.getParent(), block);
    });
    if (entry == phi.block_end()) return std::nullopt;
    const Stride first = of(*phi.getIncomingValueForBlock(*entry));
    known_[&phi] = first;
    for (const llvm::Value* value : phi.incoming_values()) {
      if (of(*value) == first) continue;
      known_[&phi] = std::nullopt;
      return std::nullopt;
    }
    return first;
  }

  Stride ofAddress(const llvm::GetElementPtrInst& address) {
    const llvm::DataLayout& layout = address.getDataLayout();
    Stride sum = of(*address.getPointerOperand());
    for (auto type = llvm::gep_type_begin(address); type != llvm::gep_type_end(address); ++type) {
      if (type.isStruct()) continue;
      const Stride index = of(*type.getOperand());
      const auto bytes = static_cast<std::int64_t>(type.getSequentialElementStride(layout).getFixedValue());
      sum = combine(sum, index ? Stride(*index * bytes) : Stride(), 1);
    }
    return sum;
  }

  Stride ofOperation(const llvm::Instruction& instruction) {
    if (const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction)) return ofAddress(*address);
    switch (instruction.getOpcode()) {
      case llvm::Instruction::Add:
        return combine(of(*instruction.getOperand(0)), of(*instruction.getOperand(1)), 1);
      case llvm::Instruction::Sub:
        return combine(of(*instruction.getOperand(0)), of(*instruction.getOperand(1)), -1);
      case llvm::Instruction::Or:
        if (!llvm::cast<llvm::PossiblyDisjointInst>(instruction).isDisjoint()) return zeroIfAllZero(instruction);
        return combine(of(*instruction.getOperand(0)), of(*instruction.getOperand(1)), 1);
      case llvm::Instruction::Mul:
      case llvm::Instruction::Shl:
        return ofProduct(instruction);
      case llvm::Instruction::SExt:
      case llvm::Instruction::ZExt:
      case llvm::Instruction::Trunc:
      case llvm::Instruction::Freeze:
        return of(*instruction.getOperand(0));
      default:
        return zeroIfAllZero(instruction);
    }
  }

  Stride ofProduct(const llvm::Instruction& product) {
    const Stride stride = of(*product.getOperand(0));
    const auto* const factor = llvm::dyn_cast<llvm::ConstantInt>(product.getOperand(1));
    if (!stride || !factor || factor->getBitWidth() > 64) return zeroIfAllZero(product);
    const std::int64_t by = factor->getSExtValue();
    return *stride * (product.getOpcode() == llvm::Instruction::Shl ? std::int64_t{1} << (by & 63) : by);
  }

  /// Pure operations on values that do not change along x do not change either.
  Stride zeroIfAllZero(const llvm::Instruction& instruction) {
    if (llvm::isa<llvm::AllocaInst, llvm::CallBase>(instruction) || instruction.mayReadOrWriteMemory())
      return std::nullopt;
    const bool zero = llvm::all_of(instruction.operands(), [&](const llvm::Use& operand) {
      return llvm::isa<llvm::BasicBlock>(operand) || of(*operand) == Stride(0);
    });
    return zero ? Stride(0) : std::nullopt;
  }

  const GroupUniformity& uniformity_;
  llvm::DenseMap<const llvm::Instruction*, Stride> known_;
};

}  // namespace

std::optional<std::int64_t> itemStride(const llvm::Value& value, const GroupUniformity& uniformity) {
  return StrideFinder(uniformity).of(value);
}

}  // namespace lathe::detail
