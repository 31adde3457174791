// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instructions.h"

#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LowerMemIntrinsics.h"

#include <lathe/sdk/approximate_math.h>

namespace lathe::targets {
namespace {

using namespace llvm::PatternMatch;

/// The type as the Itanium ABI writes it in names of OpenCL C's functions.
char mangled(const llvm::Type& type) {
  if (type.isFloatTy()) return 'f';
  return type.isIntegerTy(32) ? 'j' : 'm';
}

/// Calls a function of OpenCL C whose `arguments` and result have one type: float, or 32 or 64 bits without a sign.
llvm::CallInst* callOf(llvm::Instruction& at, llvm::StringRef name, llvm::ArrayRef<llvm::Value*> arguments) {
  llvm::Module& module = *at.getModule();
  llvm::Type* const type = at.getType();
  const std::string symbol =
      "_Z" + std::to_string(name.size()) + name.str() + std::string(arguments.size(), mangled(*type));
  const llvm::SmallVector<llvm::Type*> types(arguments.size(), type);
  llvm::FunctionCallee callee = module.getOrInsertFunction(symbol, llvm::FunctionType::get(type, types, false));
  if (auto* const function = llvm::dyn_cast<llvm::Function>(callee.getCallee())) {
    function->setCallingConv(llvm::CallingConv::SPIR_FUNC);
    function->setDoesNotAccessMemory();
    function->setDoesNotThrow();
  }
  llvm::CallInst* const call = llvm::IRBuilder<>(&at).CreateCall(callee, arguments);
  call->setCallingConv(llvm::CallingConv::SPIR_FUNC);
  return call;
}

llvm::CallInst* reciprocalRoot(llvm::Instruction& quotient) {
  llvm::Value* const x = quotient.getType()->isFloatTy() ? sdk::underReciprocalRoot(quotient) : nullptr;
  return x ? callOf(quotient, "rsqrt", {x}) : nullptr;
}

llvm::CallInst* rotation(llvm::Instruction& both) {
  llvm::Value* x = nullptr;
  const llvm::APInt *left = nullptr, *right = nullptr;
  if (!both.getType()->isIntegerTy(32) && !both.getType()->isIntegerTy(64)) return nullptr;
  if (!match(&both,
             m_c_Or(m_OneUse(m_Shl(m_Value(x), m_APInt(left))), m_OneUse(m_LShr(m_Deferred(x), m_APInt(right))))) ||
      *left + *right != both.getType()->getIntegerBitWidth())
    return nullptr;
  return callOf(both, "rotate", {x, llvm::ConstantInt::get(both.getType(), *left)});
}

/// The type of all accesses through `place`, or null if there are several or it is used otherwise.
llvm::Type* accessedType(const llvm::GetElementPtrInst& place) {
  llvm::Type* type = nullptr;
  for (const llvm::User* user : place.users()) {
    if (llvm::getPointerOperand(user) != &place || !llvm::isa<llvm::LoadInst, llvm::StoreInst>(user)) return nullptr;
    llvm::Type* const own = llvm::getLoadStoreType(user);
    if (type && own != type) return nullptr;
    type = own;
  }
  return type;
}

}  // namespace

void mergeEqualValues(llvm::Module& module, llvm::TargetMachine& machine) {
  llvm::PassBuilder builder(&machine);
  llvm::FunctionAnalysisManager analyses;
  builder.registerFunctionAnalyses(analyses);
  for (llvm::Function& function : module) {
    if (!function.isDeclaration()) llvm::EarlyCSEPass().run(function, analyses);
  }
}

void splitMoves(llvm::Module& module, llvm::TargetMachine& machine) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    const llvm::TargetTransformInfo costs = machine.getTargetTransformInfo(function);
    llvm::SmallVector<llvm::MemMoveInst*> moves;
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (auto* const move = llvm::dyn_cast<llvm::MemMoveInst>(&instruction)) moves.push_back(move);
    for (llvm::MemMoveInst* move : moves) {
      llvm::expandMemMoveAsLoop(move, costs);
      move->eraseFromParent();
    }
  }
}

void useInstructions(llvm::Module& module) {
  for (llvm::Function& function : module) {
    llvm::SmallVector<llvm::WeakTrackingVH> replaced;
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      llvm::CallInst* call = reciprocalRoot(instruction);
      if (!call) call = rotation(instruction);
      if (!call) continue;
      if (llvm::isa<llvm::FPMathOperator>(instruction)) call->copyFastMathFlags(&instruction);
      instruction.replaceAllUsesWith(call);
      replaced.push_back(&instruction);
    }
    llvm::RecursivelyDeleteTriviallyDeadInstructions(replaced);
  }
}

void maskTruncated(llvm::Module& module) {
  for (llvm::Function& function : module) {
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      llvm::Value* wide = nullptr;
      if (!match(&instruction, m_ZExt(m_Trunc(m_Value(wide))))) continue;
      llvm::Type* const type = instruction.getType();
      if (wide->getType()->getScalarSizeInBits() <= type->getScalarSizeInBits()) continue;
      llvm::IRBuilder<> builder(&instruction);
      const unsigned kept = instruction.getOperand(0)->getType()->getScalarSizeInBits();
      const auto mask = llvm::APInt::getLowBitsSet(type->getScalarSizeInBits(), kept);
      llvm::Value* const made = builder.CreateAnd(builder.CreateTrunc(wide, type), llvm::ConstantInt::get(type, mask));
      auto* const truncated = llvm::cast<llvm::Instruction>(instruction.getOperand(0));
      instruction.replaceAllUsesWith(made);
      instruction.eraseFromParent();
      if (truncated->use_empty()) truncated->eraseFromParent();
    }
  }
}

void indexByAccess(llvm::Module& module) {
  const llvm::DataLayout& layout = module.getDataLayout();
  for (llvm::Function& function : module) {
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      auto* const place = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
      if (!place || place->getNumIndices() != 1) continue;
      llvm::Type* const counted = place->getSourceElementType();
      llvm::Type* const accessed = accessedType(*place);
      if (!accessed || accessed == counted || !accessed->isSized()) continue;
      if (layout.getTypeAllocSize(accessed) != layout.getTypeAllocSize(counted)) continue;
      place->setSourceElementType(accessed);
      place->setResultElementType(accessed);
    }
  }
}

}  // namespace lathe::targets
