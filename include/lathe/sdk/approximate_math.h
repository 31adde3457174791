// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Approximate mathematics that LLVM's IR says in several operations and a machine may have as one, for hooks of
// targets.
#pragma once

#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

namespace lathe::sdk {

/// The x of 1 / sqrt(x), where both may be approximate and the root has no other use; else null.
inline llvm::Value* underReciprocalRoot(const llvm::Instruction& quotient) {
  using namespace llvm::PatternMatch;
  llvm::Value* x = nullptr;
  if (!match(&quotient, m_FDiv(m_FPOne(), m_OneUse(m_Intrinsic<llvm::Intrinsic::sqrt>(m_Value(x)))))) return nullptr;
  const auto& root = llvm::cast<llvm::Instruction>(*quotient.getOperand(1));
  return quotient.hasApproxFunc() && root.hasApproxFunc() ? x : nullptr;
}

}  // namespace lathe::sdk
