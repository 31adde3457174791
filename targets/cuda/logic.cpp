// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The form of operations on bits in PTX.
#include "targets/cuda/logic.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
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

/// The first of the two operations that take a field of bits out of a word, where LLVM's back end would make them one
/// `bfe`; null for others. Shifts by as much to both sides are conversions of narrower numbers.
llvm::Instruction* firstOfField(llvm::Instruction& last) {
  if (!last.getType()->isIntegerTy(32)) return nullptr;
  llvm::Instruction* first = nullptr;
  const llvm::APInt *outer = nullptr, *inner = nullptr;
  if (match(&last, m_And(m_Instruction(first), m_APInt(outer))) && match(first, m_LShr(m_Value(), m_APInt(inner))))
    return outer->isMask() && inner->ult(32) && outer->popcount() + inner->getZExtValue() < 32 ? first : nullptr;
  if (match(&last, m_LShr(m_Instruction(first), m_APInt(outer))) && match(first, m_And(m_Value(), m_APInt(inner))))
    return inner->isShiftedMask() && outer->uge(inner->countr_zero()) ? first : nullptr;
  if (match(&last, m_AShr(m_Instruction(first), m_APInt(outer))) && match(first, m_Shl(m_Value(), m_APInt(inner))))
    return *outer != *inner ? first : nullptr;
  return nullptr;
}

/// `operation`, by a constant, as assembly, which the back end merges with nothing.
llvm::Value* apart(llvm::BinaryOperator& operation) {
  const char* const text = operation.getOpcode() == llvm::Instruction::And    ? "and.b32 $0, $1, $2;"
                           : operation.getOpcode() == llvm::Instruction::LShr ? "shr.u32 $0, $1, $2;"
                                                                              : "shl.b32 $0, $1, $2;";
  llvm::Type* const word = operation.getType();
  llvm::InlineAsm* const assembly =
      llvm::InlineAsm::get(llvm::FunctionType::get(word, {word, word}, false), text, "=r,r,n", false);
  llvm::IRBuilder<> builder(&operation);
  auto* const call = builder.CreateCall(assembly, {operation.getOperand(0), operation.getOperand(1)});
  call->setDoesNotAccessMemory();
  call->setDoesNotThrow();
  return call;
}

}  // namespace

void keepFieldsApart(llvm::Module& module) {
  for (llvm::Function& function : module) {
    llvm::SmallSetVector<llvm::BinaryOperator*, 16> firsts;
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      if (auto* const first = llvm::dyn_cast_or_null<llvm::BinaryOperator>(firstOfField(instruction)))
        firsts.insert(first);
    }
    for (llvm::BinaryOperator* first : firsts) {
      first->replaceAllUsesWith(apart(*first));
      first->eraseFromParent();
    }
  }
}

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
