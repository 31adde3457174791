// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Addresses that differ by a constant, in blocks of which none is always on the way to another. LLVM's own pass, which
// the back end would run later, splits the constants off.
#include "targets/cuda/addresses/shared_parts.h"

#include <map>
#include <optional>
#include <tuple>

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Transforms/Scalar/SeparateConstOffsetFromGEP.h"

#include "targets/cuda/addresses/accesses.h"

namespace lathe::targets {
namespace {

/// Addresses that make it worth while: with two, what is saved is what a longer life may cost.
constexpr std::size_t least = 3;

/// An address, `index`, extended, elements behind `base`.
struct Address {
  llvm::GetElementPtrInst* instruction = nullptr;
  llvm::WeakTrackingVH base;  ///< may be an address that is shared itself
  llvm::Value* index = nullptr;
  llvm::CastInst* extension = nullptr;
};

std::optional<Address> addressOf(llvm::Instruction& instruction) {
  auto* const address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
  if (!address || address->getNumIndices() != 1 || address->getType()->isVectorTy()) return std::nullopt;
  auto* const extension = llvm::dyn_cast<llvm::CastInst>(address->getOperand(1));
  if (!extension || !llvm::isa<llvm::SExtInst, llvm::ZExtInst>(extension)) return std::nullopt;
  return Address{address, address->getPointerOperand(), extension->getOperand(0), extension};
}

/// The block that is on the way to all of `group`, where the address that they share may be computed; null: there is
/// none, or one of the group's own computes it.
llvm::BasicBlock* meetingPlace(const std::vector<Address>& group, const llvm::DominatorTree& dominators,
                               const llvm::LoopInfo& loops) {
  llvm::BasicBlock* place = group.front().instruction->getParent();
  llvm::SmallPtrSet<const llvm::BasicBlock*, 8> blocks;
  for (const Address& one : group) {
    blocks.insert(one.instruction->getParent());
    if (!dominators.isReachableFromEntry(one.instruction->getParent())) return nullptr;
    place = dominators.findNearestCommonDominator(place, one.instruction->getParent());
  }
  if (!place || blocks.size() < least || blocks.contains(place)) return nullptr;
  for (const Address& one : group) {
    if (loops.getLoopFor(one.instruction->getParent()) != loops.getLoopFor(place)) return nullptr;
  }
  const llvm::Value* const operands[] = {group.front().base, group.front().index};
  for (const llvm::Value* operand : operands) {
    const auto* const made = llvm::dyn_cast<llvm::Instruction>(operand);
    if (made && !dominators.dominates(made, place->getTerminator())) return nullptr;
  }
  return place;
}

void share(const std::vector<Address>& group, llvm::BasicBlock& place) {
  const Address& first = group.front();
  llvm::IRBuilder<> builder(place.getTerminator());
  llvm::Value* const index = builder.CreateCast(first.extension->getOpcode(), first.index, first.extension->getType());
  llvm::Value* const shared = builder.CreateGEP(first.instruction->getSourceElementType(), first.base, index);
  for (const Address& one : group) {
    one.instruction->replaceAllUsesWith(shared);
    one.instruction->eraseFromParent();
  }
}

void shareAddresses(llvm::Function& function) {
  // In the order of the code, so that equal modules give equal text.
  std::map<std::tuple<const llvm::Value*, const llvm::Type*, const llvm::Value*, unsigned, const llvm::Type*>,
           std::size_t>
      numbers;
  std::vector<std::vector<Address>> groups;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    const auto address = addressOf(instruction);
    if (!address) continue;
    const auto [at, isNew] =
        numbers.try_emplace({address->base, address->instruction->getSourceElementType(), address->index,
                             address->extension->getOpcode(), address->extension->getType()},
                            groups.size());
    if (isNew) groups.emplace_back();
    groups[at->second].push_back(*address);
  }
  if (llvm::none_of(groups, [](const auto& group) { return group.size() >= least; })) return;
  llvm::DominatorTree dominators(function);
  const llvm::LoopInfo loops(dominators);
  for (const std::vector<Address>& group : groups) {
    if (group.size() < least) continue;
    if (llvm::BasicBlock* const place = meetingPlace(group, dominators, loops)) share(group, *place);
  }
}

/// True if as many addresses count from one base, in as many blocks.
bool mayShare(llvm::Function& function) {
  llvm::DenseMap<const llvm::Value*, llvm::SmallPtrSet<const llvm::BasicBlock*, least>> blocks;
  return llvm::any_of(llvm::instructions(function), [&](llvm::Instruction& instruction) {
    const auto address = addressOf(instruction);
    if (!address) return false;
    auto& known = blocks[address->base];
    known.insert(instruction.getParent());
    return known.size() >= least;
  });
}

}  // namespace

void shareAddresses(llvm::Module& module, llvm::TargetMachine& machine) {
  llvm::SmallVector<llvm::Function*> sharing;
  for (llvm::Function& function : module)
    if (!function.isDeclaration() && mayShare(function)) sharing.push_back(&function);
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SeparateConstOffsetFromGEPPass());
  runPasses(sharing, machine, std::move(passes));
  for (llvm::Function* function : sharing) shareAddresses(*function);
}

}  // namespace lathe::targets
