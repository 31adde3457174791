// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Addresses in shared memory that are computed twice, because that costs an instruction and saves a register.
#include "targets/cuda/pressure/shared_addresses.h"

#include <cstdint>
#include <optional>
#include <vector>

#include "llvm/ADT/APInt.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

#include "targets/cuda/pressure/far_uses.h"
#include "targets/cuda/pressure/live_registers.h"

namespace lathe::targets {
namespace {

constexpr unsigned groupSpace = 3, addressBits = 64, narrow = 32;
/// Steps between an address and its variable that are looked at.
constexpr unsigned deepest = 16;
/// Addresses with one base that must be saved if the base is kept for them.
constexpr std::size_t worthBase = 4;

/// An address `base` + `index` * `bytes`, and the accesses by it in other blocks.
struct Address {
  llvm::GetElementPtrInst* sum = nullptr;
  llvm::Value* index = nullptr;
  unsigned shift = 0;  ///< of the index, for its element's bytes
  FarUses::Places far;
};

bool isAddressOf(const llvm::Use& use) {
  const llvm::User* const user = use.getUser();
  if (llvm::isa<llvm::LoadInst>(user)) return true;
  if (llvm::isa<llvm::StoreInst>(user)) return use.getOperandNo() == llvm::StoreInst::getPointerOperandIndex();
  return llvm::isa<llvm::AtomicRMWInst>(user) && use.getOperandNo() == llvm::AtomicRMWInst::getPointerOperandIndex();
}

/// The number of 32 bits that `index` is, or null.
llvm::Value* narrowed(llvm::Value* index) {
  if (index->getType()->isIntegerTy(narrow)) return index;
  auto* const cast = llvm::dyn_cast<llvm::CastInst>(index);
  if (!cast || !llvm::isa<llvm::ZExtInst, llvm::SExtInst>(cast)) return nullptr;
  return cast->getSrcTy()->isIntegerTy(narrow) ? cast->getOperand(0) : nullptr;
}

class Recomputing {
 public:
  Recomputing(llvm::Function& function, const LiveRegisters& lives)
      : function_(function), lives_(lives), far_(function, lives) {}

  bool run() {
    llvm::MapVector<llvm::Value*, std::vector<Address>> byBase;
    for (llvm::Instruction& instruction : llvm::instructions(function_)) {
      auto* const sum = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
      if (!sum || !isSharedAddress(*sum) || !lives_.crossesCrowd(*sum)) continue;
      if (std::optional<Address> found = understood(*sum))
        byBase[sum->getPointerOperand()].push_back(std::move(*found));
    }
    bool changed = false;
    for (const auto& [base, addresses] : byBase) {
      if (addresses.size() < worthBase && !llvm::isa<llvm::Constant>(base)) continue;
      for (const Address& address : addresses) computeAgain(address);
      changed = true;
    }
    return changed;
  }

 private:
  std::optional<Address> understood(llvm::GetElementPtrInst& sum) const {
    llvm::SmallMapVector<llvm::Value*, llvm::APInt, 4> variable;
    llvm::APInt constant(addressBits, 0);
    if (!sum.collectOffset(function_.getDataLayout(), addressBits, variable, constant) || variable.size() != 1 ||
        !constant.isZero() || !variable.front().second.isPowerOf2())
      return std::nullopt;
    Address found{&sum, narrowed(variable.front().first), variable.front().second.logBase2(), {}};
    if (!found.index) return std::nullopt;
    auto far = far_.of(sum, *found.index, isAddressOf);
    if (!far) return std::nullopt;
    found.far = *std::move(far);
    return found;
  }

  static void computeAgain(const Address& address) {
    for (const auto& [block, uses] : address.far) {
      llvm::IRBuilder<> builder(FarUses::firstOf(*block, uses));
      llvm::PointerType* const shared = llvm::PointerType::get(builder.getContext(), groupSpace);
      llvm::Value* base = address.sum->getPointerOperand();
      if (base->getType() != shared) base = builder.CreateAddrSpaceCast(base, shared);
      llvm::Value* const offset = builder.CreateShl(address.index, address.shift);
      llvm::Value* const number = builder.CreateAdd(builder.CreatePtrToInt(base, builder.getInt32Ty()), offset);
      llvm::Value* made = builder.CreateIntToPtr(number, shared);
      if (address.sum->getType() != shared) made = builder.CreateAddrSpaceCast(made, address.sum->getType());
      for (llvm::Use* use : uses) use->set(made);
    }
  }

  llvm::Function& function_;
  const LiveRegisters& lives_;
  FarUses far_;
};

}  // namespace

bool isSharedAddress(const llvm::Value& value) {
  if (!value.getType()->isPointerTy()) return false;
  if (value.getType()->getPointerAddressSpace() == groupSpace) return true;
  const llvm::Type* const variable = llvm::getUnderlyingObject(&value, deepest)->getType();
  return variable->isPointerTy() && variable->getPointerAddressSpace() == groupSpace;
}

bool recomputeAddresses(llvm::Function& function, const LiveRegisters& lives) {
  return Recomputing(function, lives).run();
}

}  // namespace lathe::targets
