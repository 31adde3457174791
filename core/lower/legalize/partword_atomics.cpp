// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomics of 8 and 16 bits where only words of 32 are atomic: compare and exchange of the word around them, again for
// as long as others change the rest of it. As LLVM's AtomicExpand does it for the back ends that ask.
//
//   before: %pair = cmpxchg ptr %p, i8 %a, i8 %b monotonic monotonic
//   after:  loop:  %rest = and i32 %seen, %others
//                  cmpxchg ptr %word, i32 (%rest | %a << %shift), i32 (%rest | %b << %shift) monotonic monotonic
#include "llvm/CodeGen/AtomicExpandUtils.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include "core/lower/legalize/legalize.h"

namespace lathe::detail {
namespace {

bool isSmall(const llvm::Type* type) {
  return type->isIntegerTy(8) || type->isIntegerTy(16);
}

/// Where a value is within the word around it.
struct Place {
  llvm::Value* word;    ///< the word's address
  llvm::Value* shift;   ///< of the value in the word
  llvm::Value* others;  ///< the word's other bits
};

Place placeOf(llvm::IRBuilderBase& b, llvm::Value* pointer, const llvm::Type* type) {
  llvm::Value* const byte = b.CreateAnd(b.CreatePtrToInt(pointer, b.getInt64Ty()), 3);
  llvm::Value* const word = b.CreateGEP(b.getInt8Ty(), pointer, b.CreateNeg(byte));
  llvm::Value* const shift = b.CreateTrunc(b.CreateShl(byte, 3), b.getInt32Ty());
  const std::uint32_t bits = type->isIntegerTy(8) ? 0xff : 0xffff;
  return {word, shift, b.CreateNot(b.CreateShl(b.getInt32(bits), shift))};
}

llvm::Value* inWord(llvm::IRBuilderBase& b, llvm::Value* value, const Place& place) {
  return b.CreateShl(b.CreateZExt(value, b.getInt32Ty()), place.shift);
}
llvm::Value* fromWord(llvm::IRBuilderBase& b, llvm::Value* word, const Place& place, llvm::Type* type) {
  return b.CreateTrunc(b.CreateLShr(word, place.shift), type);
}

llvm::LoadInst* loadWord(llvm::IRBuilderBase& b, const Place& place, llvm::AtomicOrdering order,
                         llvm::SyncScope::ID scope) {
  llvm::LoadInst* const load = b.CreateAlignedLoad(b.getInt32Ty(), place.word, llvm::Align(4));
  load->setAtomic(order, scope);
  return load;
}

void expand(llvm::LoadInst& load) {
  llvm::IRBuilder<> b(&load);
  const Place place = placeOf(b, load.getPointerOperand(), load.getType());
  llvm::Value* const word = loadWord(b, place, load.getOrdering(), load.getSyncScopeID());
  load.replaceAllUsesWith(fromWord(b, word, place, load.getType()));
  load.eraseFromParent();
}

void expand(llvm::AtomicCmpXchgInst& exchange) {
  llvm::IRBuilder<> b(&exchange);
  llvm::Type* const type = exchange.getCompareOperand()->getType();
  const Place place = placeOf(b, exchange.getPointerOperand(), type);
  llvm::Value* const expected = inWord(b, exchange.getCompareOperand(), place);
  llvm::Value* const desired = inWord(b, exchange.getNewValOperand(), place);
  llvm::Value* const first = loadWord(b, place, llvm::AtomicOrdering::Monotonic, exchange.getSyncScopeID());

  llvm::BasicBlock* const before = exchange.getParent();
  llvm::BasicBlock* const done = llvm::SplitBlock(before, &exchange);
  llvm::Function* const function = before->getParent();
  auto* const loop = llvm::BasicBlock::Create(b.getContext(), "small.loop", function, done);
  auto* const failed = llvm::BasicBlock::Create(b.getContext(), "small.failed", function, done);
  before->getTerminator()->setSuccessor(0, loop);

  b.SetInsertPoint(loop);
  llvm::PHINode* const rest = b.CreatePHI(b.getInt32Ty(), 2);
  llvm::Value* const pair =
      b.CreateAtomicCmpXchg(place.word, b.CreateOr(rest, expected), b.CreateOr(rest, desired), llvm::Align(4),
                            exchange.getSuccessOrdering(), exchange.getFailureOrdering(), exchange.getSyncScopeID());
  llvm::Value* const found = b.CreateExtractValue(pair, 0);
  llvm::Value* const success = b.CreateExtractValue(pair, 1);
  b.CreateCondBr(success, done, failed);

  // Only if the rest of the word is what it was, the value itself is another one.
  b.SetInsertPoint(failed);
  llvm::Value* const nowRest = b.CreateAnd(found, place.others);
  b.CreateCondBr(b.CreateICmpEQ(nowRest, rest), done, loop);
  b.SetInsertPoint(before->getTerminator());
  rest->addIncoming(b.CreateAnd(first, place.others), before);
  rest->addIncoming(nowRest, failed);

  b.SetInsertPoint(&exchange);
  llvm::Value* out = llvm::PoisonValue::get(exchange.getType());
  out = b.CreateInsertValue(out, fromWord(b, found, place, type), 0);
  exchange.replaceAllUsesWith(b.CreateInsertValue(out, success, 1));
  exchange.eraseFromParent();
}

template <class Instruction>
llvm::SmallVector<Instruction*> smallOnes(llvm::Function& function) {
  llvm::SmallVector<Instruction*> out;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* const found = llvm::dyn_cast<Instruction>(&instruction);
    if (!found || !instruction.isAtomic()) continue;
    const llvm::Type* type = instruction.getType();
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) type = store->getValueOperand()->getType();
    if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
      type = exchange->getCompareOperand()->getType();
    if (isSmall(type)) out.push_back(found);
  }
  return out;
}

}  // namespace

void widenPartwordAtomics(llvm::Function& function) {
  for (llvm::StoreInst* store : smallOnes<llvm::StoreInst>(function)) {
    llvm::IRBuilder<>(store).CreateAtomicRMW(llvm::AtomicRMWInst::Xchg, store->getPointerOperand(),
                                             store->getValueOperand(), store->getAlign(), store->getOrdering(),
                                             store->getSyncScopeID());
    store->eraseFromParent();
  }
  for (llvm::AtomicRMWInst* change : smallOnes<llvm::AtomicRMWInst>(function))
    llvm::expandAtomicRMWToCmpXchg(change, createCompareExchange);
  for (llvm::AtomicCmpXchgInst* exchange : smallOnes<llvm::AtomicCmpXchgInst>(function)) expand(*exchange);
  for (llvm::LoadInst* load : smallOnes<llvm::LoadInst>(function)) expand(*load);
}

}  // namespace lathe::detail
