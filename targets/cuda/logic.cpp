// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The form of operations on bits in PTX.
#include "targets/cuda/logic.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

namespace lathe::targets {
namespace {

using namespace llvm::PatternMatch;

bool isBitwise(const llvm::Value* value) {
  return match(value, m_OneUse(m_BitwiseLogic(m_Value(), m_Value())));
}

/// The masked shift `masked` with the mask first, or null if it has another form.
llvm::Value* maskedFirst(llvm::Instruction& masked) {
  llvm::Value* value = nullptr;
  const llvm::APInt *mask = nullptr, *distance = nullptr;
  if (!masked.getType()->isIntegerTy(32) ||
      !match(&masked, m_And(m_OneUse(m_LShr(m_Value(value), m_APInt(distance))), m_APInt(mask))) || !isBitwise(value) ||
      distance->uge(32))
    return nullptr;
  const unsigned bits = static_cast<unsigned>(distance->getZExtValue());
  // Bits that the shift has cleared anyway, which a mask may keep or not.
  const llvm::APInt shifted = mask->shl(bits);
  llvm::IRBuilder<> builder(&masked);
  return builder.CreateLShr(builder.CreateAnd(value, builder.getInt(shifted)), bits);
}

/// The magnitude of `call`, a copysign, with the sign of a narrower number, or null if both are as wide.
llvm::Value* signCopied(llvm::IntrinsicInst& call) {
  llvm::Value* narrow = nullptr;
  if (call.getIntrinsicID() != llvm::Intrinsic::copysign || !call.getType()->isFloatTy() ||
      !match(call.getArgOperand(1), m_FPExt(m_Value(narrow))))
    return nullptr;
  llvm::IRBuilder<> builder(&call);
  llvm::Type* const word = builder.getInt32Ty();
  llvm::Value* const magnitude = builder.CreateAnd(builder.CreateBitCast(call.getArgOperand(0), word), 0x7fffffff);
  llvm::Value* const sign = builder.CreateAnd(builder.CreateBitCast(call.getArgOperand(1), word), 0x80000000);
  return builder.CreateBitCast(builder.CreateOr(magnitude, sign), call.getType());
}

}  // namespace

void mergeLogic(llvm::Module& module) {
  for (llvm::Function& function : module) {
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      auto* const call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      llvm::Value* const merged = call ? signCopied(*call) : maskedFirst(instruction);
      if (!merged) continue;
      instruction.replaceAllUsesWith(merged);
      instruction.eraseFromParent();
    }
  }
}

}  // namespace lathe::targets
