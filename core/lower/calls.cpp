// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/lower/calls.h"

#include "llvm/ADT/SCCIterator.h"
#include "llvm/Analysis/CallGraph.h"

namespace lathe::detail {

llvm::SetVector<llvm::Function*> recursiveFunctions(llvm::Module& module) {
  llvm::SetVector<llvm::Function*> out;
  llvm::CallGraph graph(module);
  for (auto cycle = llvm::scc_begin(&graph); !cycle.isAtEnd(); ++cycle) {
    if (!cycle.hasCycle()) continue;
    for (const llvm::CallGraphNode* node : *cycle) {
      if (node->getFunction()) out.insert(node->getFunction());
    }
  }
  return out;
}

}  // namespace lathe::detail
