// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sine and cosine of one argument.
#include "core/lower/math/sine_and_cosine.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

#include "core/abi/math.h"
#include "core/lower/lowering.h"
#include "core/lower/math/math.h"

namespace lathe::detail {
namespace {

/// A declaration of `symbol`, which has no effects but what it writes through its arguments.
llvm::FunctionCallee declare(llvm::Module& module, llvm::StringRef symbol, llvm::FunctionType* type) {
  llvm::FunctionCallee callee = module.getOrInsertFunction(symbol, type);
  if (auto* const function = llvm::dyn_cast<llvm::Function>(callee.getCallee());
      function && function->isDeclaration()) {
    function->setDoesNotThrow();
    function->setWillReturn();
    if (type->getReturnType()->isVoidTy())
      function->setOnlyAccessesArgMemory();
    else
      function->setDoesNotAccessMemory();
  }
  return callee;
}

/// Calls the library's function, which writes both results.
llvm::Value* callLibrary(llvm::IntrinsicInst& call, llvm::StringRef symbol) {
  llvm::Type* const real = call.getArgOperand(0)->getType();
  llvm::IRBuilder<> entry(&*call.getFunction()->getEntryBlock().getFirstInsertionPt());
  llvm::IRBuilder<> builder(&call);
  llvm::Value* places[2];
  for (llvm::Value*& place : places) place = builder.CreateAddrSpaceCast(entry.CreateAlloca(real), builder.getPtrTy());
  auto* const type =
      llvm::FunctionType::get(builder.getVoidTy(), {real, places[0]->getType(), places[1]->getType()}, false);
  builder.CreateCall(declare(*call.getModule(), symbol, type), {call.getArgOperand(0), places[0], places[1]});
  llvm::Value* both = llvm::PoisonValue::get(call.getType());
  for (unsigned i = 0; i < 2; ++i) both = builder.CreateInsertValue(both, builder.CreateLoad(real, places[i]), i);
  return both;
}

/// A sine and a cosine, which lowerMath() then serves as any other.
llvm::Value* callBoth(llvm::IntrinsicInst& call, bool ofPi) {
  llvm::Value* const x = call.getArgOperand(0);
  llvm::Type* const real = x->getType();
  llvm::IRBuilder<> builder(&call);
  builder.setFastMathFlags(call.getFastMathFlags());
  const auto one = [&](llvm::Intrinsic::ID intrinsic, std::string symbol) -> llvm::Value* {
    if (!ofPi) return builder.CreateUnaryIntrinsic(intrinsic, x);
    if (real->isFloatTy()) symbol += 'f';
    return builder.CreateCall(declare(*call.getModule(), symbol, llvm::FunctionType::get(real, {real}, false)), {x});
  };
  llvm::Value* const sine = one(llvm::Intrinsic::sin, "sinpi");
  llvm::Value* const both = builder.CreateInsertValue(llvm::PoisonValue::get(call.getType()), sine, 0);
  return builder.CreateInsertValue(both, one(llvm::Intrinsic::cos, "cospi"), 1);
}

}  // namespace

bool lowerSineAndCosine(Lowering& lowering, const DeviceLibrary* library) {
  llvm::SmallVector<llvm::IntrinsicInst*> calls;
  for (llvm::Function& function : *lowering.module) {
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      auto* const call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      if (call &&
          (call->getIntrinsicID() == llvm::Intrinsic::sincos || call->getIntrinsicID() == llvm::Intrinsic::sincospi))
        calls.push_back(call);
    }
  }
  for (llvm::IntrinsicInst* call : calls) {
    const bool ofPi = call->getIntrinsicID() == llvm::Intrinsic::sincospi;
    const std::string name = ofPi ? "sincospi" : "sincos";
    // Where an approximation will do, a machine's own instructions are better.
    const bool hasBoth = library && !call->hasApproxFunc() && library->mathMangling == "pattern" &&
                         llvm::is_contained(library->mathAlso, name);
    const bool isDouble = call->getArgOperand(0)->getType()->isDoubleTy();
    llvm::Value* const both = hasBoth
                                  ? callLibrary(*call, withName(isDouble ? library->mathF64 : library->mathF32, name))
                                  : callBoth(*call, ofPi);
    call->replaceAllUsesWith(both);
    call->eraseFromParent();
  }
  return !calls.empty();
}

}  // namespace lathe::detail
