// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements of vectors whose place is a variable.
#include "targets/cuda/elements.h"

#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace lathe::targets {
namespace {

/// The elements of `vector` if it is short enough; 0: longer ones are quicker on the stack.
unsigned elementsOf(const llvm::Value& vector) {
  constexpr unsigned most = 8;
  const auto* const type = llvm::dyn_cast<llvm::FixedVectorType>(vector.getType());
  return type && type->getNumElements() <= most ? type->getNumElements() : 0;
}

/// The element at `place`, bit by bit of it. A place behind the last element has no meaning, and any may be taken.
llvm::Value* elementAt(llvm::IRBuilder<>& builder, llvm::Value* vector, llvm::Value* place, unsigned count) {
  llvm::SmallVector<llvm::Value*, 8> left;
  for (unsigned i = 0; i < count; ++i) left.push_back(builder.CreateExtractElement(vector, i));
  for (unsigned bit = 0; left.size() > 1; ++bit) {
    llvm::Value* const isOdd = builder.CreateTrunc(builder.CreateLShr(place, bit), builder.getInt1Ty());
    llvm::SmallVector<llvm::Value*, 8> chosen;
    for (std::size_t i = 0; i < left.size(); i += 2)
      chosen.push_back(i + 1 < left.size() ? builder.CreateSelect(isOdd, left[i + 1], left[i]) : left[i]);
    left = std::move(chosen);
  }
  return left.front();
}

/// `vector` with `element` at `place`.
llvm::Value* withElementAt(llvm::IRBuilder<>& builder, llvm::Value* vector, llvm::Value* element, llvm::Value* place,
                           unsigned count) {
  llvm::Value* out = vector;
  for (unsigned i = 0; i < count; ++i) {
    llvm::Value* const isHere = builder.CreateICmpEQ(place, llvm::ConstantInt::get(place->getType(), i));
    llvm::Value* const kept = builder.CreateExtractElement(vector, i);
    out = builder.CreateInsertElement(out, builder.CreateSelect(isHere, element, kept), i);
  }
  return out;
}

/// `place` as a number that can name every element: it may have fewer bits.
llvm::Value* wide(llvm::IRBuilder<>& builder, llvm::Value* place) {
  return builder.CreateZExtOrTrunc(place, builder.getInt32Ty());
}

/// What `instruction` computes, in selections; null: it has no variable place.
llvm::Value* chosen(llvm::Instruction& instruction) {
  llvm::IRBuilder<> builder(&instruction);
  if (auto* const taken = llvm::dyn_cast<llvm::ExtractElementInst>(&instruction)) {
    const unsigned count = elementsOf(*taken->getVectorOperand());
    if (count == 0 || llvm::isa<llvm::Constant>(taken->getIndexOperand())) return nullptr;
    return elementAt(builder, taken->getVectorOperand(), wide(builder, taken->getIndexOperand()), count);
  }
  if (auto* const put = llvm::dyn_cast<llvm::InsertElementInst>(&instruction)) {
    llvm::Value* const place = put->getOperand(2);
    const unsigned count = elementsOf(*put);
    if (count == 0 || llvm::isa<llvm::Constant>(place)) return nullptr;
    return withElementAt(builder, put->getOperand(0), put->getOperand(1), wide(builder, place), count);
  }
  return nullptr;
}

}  // namespace

void chooseElements(llvm::Module& module) {
  for (llvm::Function& function : module) {
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      llvm::Value* const value = chosen(instruction);
      if (!value) continue;
      instruction.replaceAllUsesWith(value);
      instruction.eraseFromParent();
    }
  }
}

}  // namespace lathe::targets
