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
#include "llvm/Transforms/Utils/FixIrreducible.h"
#include "llvm/Transforms/Utils/LowerSwitch.h"

#include "core/lower/legalize/legalize.h"
#include "core/lower/passes/passes.h"

namespace lathe::detail {

void fixIrreducible(Lowering& lowering) {
  const auto isIrreducible = [](llvm::Function& function) {
    if (function.isDeclaration()) return false;
    const llvm::DominatorTree dominators(function);
    const llvm::LoopInfo loops(dominators);
    using Blocks = llvm::ReversePostOrderTraversal<const llvm::Function*>;
    const Blocks blocks(&function);
    return llvm::containsIrreducibleCFG<const llvm::BasicBlock*, const Blocks, const llvm::LoopInfo>(blocks, loops);
  };
  if (llvm::none_of(*lowering.module, isIrreducible)) return;
  Pipeline pipeline(lowering, /*vectorise=*/false);
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::LowerSwitchPass());  // of which the next pass knows nothing
  passes.addPass(llvm::FixIrreduciblePass());
  pipeline.run(std::move(passes));
}

}  // namespace lathe::detail
