// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies between places that may overlap, in two address spaces.
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

#include "core/descriptor/descriptor.h"
#include "core/lower/legalize/legalize.h"

namespace lathe::detail {

void settleMoves(llvm::Function& function, const AddressSpaces& spaces) {
  llvm::SmallVector<llvm::MemMoveInst*> found;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* const move = llvm::dyn_cast<llvm::MemMoveInst>(&instruction);
    if (move && move->getDestAddressSpace() != move->getSourceAddressSpace()) found.push_back(move);
  }
  for (llvm::MemMoveInst* const move : found) {
    llvm::IRBuilder<> builder(move);
    llvm::Value *to = move->getRawDest(), *from = move->getRawSource();
    const unsigned space = move->getSourceAddressSpace();
    const bool isGeneric = space == spaces.generic || move->getDestAddressSpace() == spaces.generic;
    if (!isGeneric || (space == spaces.constant && space != spaces.generic)) {
      builder.CreateMemCpy(to, move->getDestAlign(), from, move->getSourceAlign(), move->getLength(),
                           move->isVolatile());
    } else {
      llvm::Type* const generic = builder.getPtrTy(spaces.generic);
      to = builder.CreateAddrSpaceCast(to, generic);
      from = builder.CreateAddrSpaceCast(from, generic);
      builder.CreateMemMove(to, move->getDestAlign(), from, move->getSourceAlign(), move->getLength(),
                            move->isVolatile());
    }
    move->eraseFromParent();
  }
}

}  // namespace lathe::detail
