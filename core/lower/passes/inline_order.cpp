// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The mark of a function that must be inlined is taken away before the pipeline starts, and given back at the end of
// the function's own part of it: its callers come after it.
#include "core/lower/passes/inline_order.h"

#include <algorithm>
#include <cstdint>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"

namespace lathe::detail {
namespace {

constexpr const char* inlinedLate = "lathe-inlined-late";

/// What a function is, or would be with all that must be inlined into it.
struct Extent {
  std::uint64_t loops = 0;
  std::uint64_t instructions = 0;

  void add(const Extent& other) {
    constexpr std::uint64_t most = std::uint64_t{1} << 32U;  // no overflow, however deep
    loops = std::min(loops + other.loops, most);
    instructions = std::min(instructions + other.instructions, most);
  }
};
/// Of one function that LLVM's passes are quick with.
constexpr Extent quick{300, 30'000};
/// Of a function that may be inlined at once all the same.
constexpr Extent small{0, 30};

std::uint64_t loopsIn(llvm::Function& function) {
  if (function.size() < 2 && !llvm::isa<llvm::BranchInst>(function.getEntryBlock().getTerminator())) return 0;
  llvm::DominatorTree dominators(function);
  return llvm::LoopInfo(dominators).getLoopsInPreorder().size();
}

/// Gives the mark back.
class MarkAgain final : public llvm::PassInfoMixin<MarkAgain> {
 public:
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    if (function.hasFnAttribute(inlinedLate)) {
      function.removeFnAttr(inlinedLate);
      function.addFnAttr(llvm::Attribute::AlwaysInline);
    }
    return llvm::PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

}  // namespace

void inlineLoopsLate(llvm::Module& module, llvm::PassBuilder& builder) {
  llvm::DenseMap<const llvm::Function*, Extent> extents;
  bool isQuick = true;
  llvm::CallGraph calls(module);
  for (auto component = llvm::scc_begin(&calls); !component.isAtEnd(); ++component) {
    for (const llvm::CallGraphNode* node : *component) {
      llvm::Function* const function = node->getFunction();
      if (!function || function->isDeclaration()) continue;
      Extent sum{loopsIn(*function), function->getInstructionCount()};
      for (const auto& call : *node) {
        const llvm::Function* const callee = call.second->getFunction();
        if (callee && callee->hasFnAttribute(llvm::Attribute::AlwaysInline)) sum.add(extents.lookup(callee));
      }
      extents[function] = sum;
      isQuick = isQuick && sum.loops <= quick.loops && sum.instructions <= quick.instructions;
    }
  }
  if (isQuick) return;
  for (llvm::Function& function : module) {
    if (!function.hasFnAttribute(llvm::Attribute::AlwaysInline)) continue;
    const Extent extent = extents.lookup(&function);
    if (extent.loops <= small.loops && extent.instructions <= small.instructions) continue;
    function.removeFnAttr(llvm::Attribute::AlwaysInline);
    function.addFnAttr(inlinedLate);
  }
  builder.registerCGSCCOptimizerLateEPCallback([](llvm::CGSCCPassManager& passes, llvm::OptimizationLevel) {
    passes.addPass(llvm::createCGSCCToFunctionPassAdaptor(MarkAgain()));
  });
}

}  // namespace lathe::detail
