// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chains of addresses through loops.
#include "targets/cuda/addresses/chains.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace lathe::targets {
namespace {

using namespace llvm::PatternMatch;

/// The number that counts a loop's iterations: a constant more each time, without overflow.
struct Counter {
  llvm::PHINode* phi;
  std::int64_t step;
};

/// An address `base + elementBytes × ((counter + offset) × distance + rest)`.
struct Address {
  llvm::GetElementPtrInst* pointer;
  llvm::Value* distance;  ///< in elements
  std::int64_t offset;    ///< beyond the counter
  std::int64_t step;      ///< of the counter, each iteration
  /// What addresses of one chain have in common: base, distance, rest, counter, size of an element.
  std::vector<std::uintptr_t> key;
};

/// The constant that `value` is more than the counter; null if it is something else. A counter narrower than an address
/// must not overflow, since it is extended later on.
std::optional<std::int64_t> offsetFrom(const llvm::PHINode& phi, llvm::Value* value) {
  if (value == &phi) return 0;
  llvm::ConstantInt* number = nullptr;
  if (!match(value, m_AddLike(m_Specific(&phi), m_ConstantInt(number)))) return std::nullopt;
  const auto* const sum = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(value);
  if (sum && !sum->hasNoSignedWrap() && phi.getType()->getIntegerBitWidth() < 64) return std::nullopt;
  return number->getSExtValue();
}

std::vector<Counter> countersOf(const llvm::Loop& loop) {
  std::vector<Counter> out;
  for (llvm::PHINode& phi : loop.getHeader()->phis()) {
    if (!phi.getType()->isIntegerTy()) continue;
    const auto step = offsetFrom(phi, phi.getIncomingValueForBlock(loop.getLoopLatch()));
    if (step && *step > 0) out.push_back({&phi, *step});
  }
  return out;
}

std::optional<Address> addressOf(llvm::GetElementPtrInst& pointer, const Counter& counter, const llvm::Loop& loop) {
  if (pointer.getNumIndices() != 1 || !loop.isLoopInvariant(pointer.getPointerOperand())) return std::nullopt;
  llvm::Value* index = pointer.getOperand(1);
  // In 32 bits sums and products must not overflow, or the index would not grow by equal distances.
  const bool extended = match(index, m_SExtLike(m_Value(index)));
  const auto isExact = [&](llvm::Value* value) {
    return !extended || llvm::cast<llvm::OverflowingBinaryOperator>(value)->hasNoSignedWrap();
  };
  llvm::Value *product = index, *rest = nullptr, *left = nullptr, *right = nullptr;
  if (match(index, m_Add(m_Value(left), m_Value(right)))) {
    if (!isExact(index) || loop.isLoopInvariant(left) == loop.isLoopInvariant(right)) return std::nullopt;
    product = loop.isLoopInvariant(left) ? right : left;
    rest = loop.isLoopInvariant(left) ? left : right;
  }
  llvm::Value *factor = nullptr, *distance = nullptr;
  if (!match(product, m_Mul(m_Value(left), m_Value(right))) || !isExact(product)) return std::nullopt;
  if (loop.isLoopInvariant(left) == loop.isLoopInvariant(right)) return std::nullopt;
  factor = loop.isLoopInvariant(left) ? right : left;
  distance = loop.isLoopInvariant(left) ? left : right;
  // Constant distances become parts of the accesses.
  if (llvm::isa<llvm::Constant>(distance)) return std::nullopt;
  if (match(factor, m_SExtLike(m_Value(left)))) factor = left;
  const auto offset = offsetFrom(*counter.phi, factor);
  if (!offset) return std::nullopt;
  const auto word = [](const void* known) { return reinterpret_cast<std::uintptr_t>(known); };
  return Address{&pointer,
                 distance,
                 *offset,
                 counter.step,
                 {word(pointer.getPointerOperand()), word(distance), word(rest), word(counter.phi),
                  word(pointer.getSourceElementType())}};
}

/// The first address of the chain, as it is before the first iteration.
llvm::Value* firstAddress(const Address& address, const llvm::Loop& loop) {
  llvm::BasicBlock* const before = loop.getLoopPreheader();
  llvm::DenseMap<llvm::Value*, llvm::Value*> copies;
  const auto copy = [&](const auto& self, llvm::Value* value) -> llvm::Value* {
    if (loop.isLoopInvariant(value)) return value;
    if (const auto known = copies.find(value); known != copies.end()) return known->second;
    auto* const original = llvm::cast<llvm::Instruction>(value);
    if (auto* const phi = llvm::dyn_cast<llvm::PHINode>(original)) return phi->getIncomingValueForBlock(before);
    llvm::Instruction* const made = original->clone();
    for (llvm::Use& operand : made->operands()) operand.set(self(self, operand.get()));
    made->insertBefore(before->getTerminator()->getIterator());
    return copies[value] = made;
  };
  return copy(copy, address.pointer);
}

void chain(std::vector<Address>& addresses, const llvm::Loop& loop) {
  llvm::BasicBlock* const body = loop.getHeader();
  const Address& first = addresses.front();
  const llvm::DataLayout& layout = body->getDataLayout();
  llvm::IRBuilder<> builder(loop.getLoopPreheader()->getTerminator());
  llvm::Type* const indexType = layout.getIndexType(first.pointer->getType());
  llvm::Value* bytes = builder.CreateSExtOrTrunc(first.distance, indexType);
  const std::uint64_t scale = layout.getTypeAllocSize(first.pointer->getSourceElementType()).getFixedValue();
  bytes = builder.CreateMul(bytes, llvm::ConstantInt::get(indexType, scale));
  llvm::Value* const start = firstAddress(first, loop);

  builder.SetInsertPoint(body, body->begin());
  llvm::PHINode* const phi = builder.CreatePHI(first.pointer->getType(), 2);
  phi->addIncoming(start, loop.getLoopPreheader());
  llvm::Value* current = phi;
  const auto next = [&] { return builder.CreatePtrAdd(builder.CreateLaunderInvariantGroup(current), bytes); };
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    if (i > 0) {
      builder.SetInsertPoint(addresses[i].pointer);
      current = next();
    }
    addresses[i].pointer->replaceAllUsesWith(current);
  }
  builder.SetInsertPoint(body->getTerminator());
  phi->addIncoming(next(), body);
  for (const Address& address : addresses) llvm::RecursivelyDeleteTriviallyDeadInstructions(address.pointer);
}

void chainAddresses(llvm::Loop& loop, llvm::DominatorTree& dominators, llvm::LoopInfo& loops) {
  llvm::BasicBlock* const body = loop.getHeader();
  if (loop.getNumBlocks() != 1) return;
  std::vector<std::vector<Address>> groups;  // in the order of the code, for equal bytes from run to run
  for (const Counter& counter : countersOf(loop)) {
    for (llvm::Instruction& instruction : *body) {
      auto* const pointer = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
      auto address = pointer ? addressOf(*pointer, counter, loop) : std::nullopt;
      if (!address) continue;
      auto known = std::ranges::find_if(groups, [&](const auto& group) { return group.front().key == address->key; });
      if (known == groups.end()) known = groups.insert(groups.end(), std::vector<Address>{});
      known->push_back(*std::move(address));
    }
  }
  for (std::vector<Address>& addresses : groups) {
    std::ranges::sort(addresses, {}, &Address::offset);
    const auto count = static_cast<std::int64_t>(addresses.size());
    if (count < 2 || count != addresses.front().step) continue;
    bool inRow = true, inOrder = true;
    for (std::size_t i = 1; i < addresses.size(); ++i) {
      inRow = inRow && addresses[i].offset == addresses[i - 1].offset + 1;
      inOrder = inOrder && addresses[i - 1].pointer->comesBefore(addresses[i].pointer);
    }
    if (!inRow || !inOrder) continue;
    // Behind the odd iterations of an unrolled loop one branch decides whether there are more.
    if (!loop.getLoopPreheader() && !llvm::InsertPreheaderForLoop(&loop, &dominators, &loops, nullptr, false)) return;
    chain(addresses, loop);
  }
}

}  // namespace

void chainAddresses(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    llvm::DominatorTree dominators(function);
    llvm::LoopInfo loops(dominators);
    for (llvm::Loop* loop : loops.getLoopsInPreorder()) chainAddresses(*loop, dominators, loops);
  }
}

}  // namespace lathe::targets
