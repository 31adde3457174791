// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that are entered at several places, which the compilers of some drivers get wrong where items exchange values.
//
//   before: entry: br i1 %c, label %head, label %middle           (head and middle lead to each other)
//   after:  entry: br label %guard    guard: br i1 %to_head, label %head, label %middle
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/BreakCriticalEdges.h"
#include "llvm/Transforms/Utils/FixIrreducible.h"
#include "llvm/Transforms/Utils/LowerSwitch.h"

#include "core/lower/legalize/legalize.h"

namespace lathe::detail {
namespace {

bool isIrreducible(const llvm::Function& function, const llvm::LoopInfo& loops) {
  using Blocks = llvm::ReversePostOrderTraversal<const llvm::Function*>;
  const Blocks blocks(&function);
  return llvm::containsIrreducibleCFG<const llvm::BasicBlock*, const Blocks, const llvm::LoopInfo>(blocks, loops);
}

}  // namespace

llvm::PreservedAnalyses FixLoopEntries::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  if (!isIrreducible(function, analyses.getResult<llvm::LoopAnalysis>(function))) return llvm::PreservedAnalyses::all();
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::LowerSwitchPass());  // of which FixIrreducible knows nothing
  // Of a branch to two entries of one loop, LLVM 22's FixIrreducible takes one through the new head and leaves the
  // other where it is, whose phis it moves to the head nevertheless.
  passes.addPass(llvm::BreakCriticalEdgesPass());
  passes.addPass(llvm::FixIrreduciblePass());
  passes.run(function, analyses);
  return llvm::PreservedAnalyses::none();
}

}  // namespace lathe::detail
