// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Indices that are products of a sum and a constant.
#include "targets/cuda/addresses/products.h"

#include <optional>
#include <vector>

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/IR/ValueHandle.h"

namespace lathe::targets {
namespace {

namespace match = llvm::PatternMatch;

/// (number + added) × factor, which does not wrap around: nor does number × factor then.
struct Product {
  llvm::Instruction* instruction = nullptr;
  llvm::WeakTrackingVH number;  ///< may be a product that is split itself
  llvm::APInt added, factor;
};

/// True if the value is used for addresses: by itself, extended, or as part of a sum.
bool isIndex(const llvm::Instruction& instruction) {
  return llvm::all_of(instruction.users(), [](const llvm::User* user) {
    return llvm::isa<llvm::SExtInst, llvm::ZExtInst, llvm::GetElementPtrInst>(user) ||
           llvm::cast<llvm::Instruction>(user)->getOpcode() == llvm::Instruction::Add;
  });
}

std::optional<Product> productOf(llvm::Instruction& instruction) {
  llvm::Value* sum = nullptr;
  const llvm::APInt* number = nullptr;
  Product out;
  if (match::match(&instruction, match::m_NUWMul(match::m_Value(sum), match::m_APInt(number)))) {
    out.factor = *number;
  } else if (match::match(&instruction, match::m_NUWShl(match::m_Value(sum), match::m_APInt(number))) &&
             number->ult(number->getBitWidth())) {
    out.factor = llvm::APInt::getOneBitSet(number->getBitWidth(), static_cast<unsigned>(number->getZExtValue()));
  } else {
    return std::nullopt;
  }
  out.instruction = &instruction;
  out.added = llvm::APInt::getZero(out.factor.getBitWidth());
  if (match::match(sum, match::m_NUWAddLike(match::m_Value(sum), match::m_APInt(number)))) out.added = *number;
  out.number = sum;
  return out;
}

/// Makes the products sums of one product, in a block that is on the way to all of them.
void share(const std::vector<Product>& products, const llvm::DominatorTree& dominators) {
  llvm::Instruction* place = products.front().instruction;
  for (const Product& one : products) place = dominators.findNearestCommonDominator(place, one.instruction);
  const bool isSigned = llvm::all_of(products, [](const Product& one) { return one.instruction->hasNoSignedWrap(); });
  llvm::IRBuilder<> builder(place);
  llvm::Value* const shared = builder.CreateMul(products.front().number, builder.getInt(products.front().factor), "",
                                                /*HasNUW=*/true, isSigned);
  for (const Product& one : products) {
    builder.SetInsertPoint(one.instruction);
    llvm::Value* const sum = one.added.isZero()
                                 ? shared
                                 : builder.CreateAdd(shared, builder.getInt(one.added * one.factor), "",
                                                     /*HasNUW=*/true, one.instruction->hasNoSignedWrap());
    one.instruction->replaceAllUsesWith(sum);
    one.instruction->eraseFromParent();
  }
}

}  // namespace

void splitProducts(llvm::Module& module) {
  for (llvm::Function& function : module) {
    llvm::MapVector<std::pair<const llvm::Value*, llvm::APInt>, std::vector<Product>> groups;
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      if (!instruction.getType()->isIntegerTy()) continue;
      auto product = productOf(instruction);
      if (product && isIndex(instruction)) groups[{product->number, product->factor}].push_back(*std::move(product));
    }
    const auto isShared = [](const std::vector<Product>& products) {
      return llvm::any_of(products, [&](const Product& one) { return one.added != products.front().added; });
    };
    groups.remove_if([&](const auto& group) { return !isShared(group.second); });
    if (groups.empty()) continue;
    const llvm::DominatorTree dominators(function);
    for (const auto& [key, products] : groups) share(products, dominators);
  }
}

}  // namespace lathe::targets
