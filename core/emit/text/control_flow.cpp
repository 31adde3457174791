// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Control flow as loops and branches that nest, along the dominator tree (Ramsey, "Beyond Relooper", ICFP 2022): a
// block that several come to is written behind the block that dominates it, others inside the branch that leads to
// them. The stage `structure` has made a graph of which each edge falls to what is written next, repeats its loop or
// leaves it.
//
//   header: … br i1 %c, label %header, label %exit       while (true) { …  if (!c) { break; } }  exit …
#include "core/emit/text/function_text.h"

namespace lathe::detail {
namespace {

/// The edges to a block that do not repeat a loop.
unsigned forwardEdges(const llvm::BasicBlock& block, const llvm::DominatorTree& dominators) {
  return static_cast<unsigned>(llvm::count_if(
      llvm::predecessors(&block), [&](const llvm::BasicBlock* from) { return !dominators.dominates(&block, from); }));
}

}  // namespace

void FunctionText::writeTree(const llvm::BasicBlock& block, const Flow& flow) {
  const llvm::Loop* const loop = loops_.getLoopFor(&block);
  if (!loop || loop->getHeader() != &block) return writeWithin(block, flow);
  const llvm::BasicBlock* const exit = loop->getUniqueExitBlock();
  if (!exit && !loop->hasNoExitBlocks()) {
    spelling_.at = block.getTerminator();
    spelling_.report("a loop with several ways out", "leave it in one place");
  }
  line("while (true) {");
  ++depth_;
  writeWithin(block, {.follow = &block, .header = &block, .exit = exit});
  --depth_;
  line("}");
  if (!exit || exit == flow.follow) return;
  // Only this loop leads there: the exit may be the header of the next one.
  const bool own = llvm::all_of(llvm::predecessors(exit), [&](const llvm::BasicBlock* from) {
    return loop->contains(from) || dominators_.dominates(exit, from);
  });
  if (own)
    writeTree(*exit, flow);
  else
    writeJump(block, *exit, flow);
}

void FunctionText::writeWithin(const llvm::BasicBlock& block, const Flow& flow) {
  // Blocks that several branches meet in. The exits of loops are written behind them.
  const llvm::Loop* const loop = loops_.getLoopFor(&block);
  std::vector<const llvm::BasicBlock*> meetings;
  for (const llvm::DomTreeNode* child : *dominators_.getNode(&block)) {
    const llvm::BasicBlock* const next = child->getBlock();
    if (forwardEdges(*next, dominators_) > 1 && (!loop || loop->contains(next))) meetings.push_back(next);
  }
  llvm::sort(meetings, [&](const auto* a, const auto* b) { return order_.lookup(a) < order_.lookup(b); });
  const auto followOf = [&](std::size_t i) {
    return Flow{.follow = i < meetings.size() ? meetings[i] : flow.follow, .header = flow.header, .exit = flow.exit};
  };
  writeBlock(block);
  writeEnd(block, followOf(0));
  for (std::size_t i = 0; i < meetings.size(); ++i) writeTree(*meetings[i], followOf(i + 1));
}

void FunctionText::writeEnd(const llvm::BasicBlock& block, const Flow& flow) {
  const llvm::Instruction& end = *block.getTerminator();
  spelling_.at = &end;
  if (llvm::isa<llvm::ReturnInst>(end)) {
    if (flow.follow) line("return;");
    return;
  }
  const auto* const branch = llvm::dyn_cast<llvm::BranchInst>(&end);
  if (!branch) return spelling_.report("an end of a block that is no branch", "write it as a branch");
  passToPhis(block);
  if (!branch->isConditional() || branch->getSuccessor(0) == branch->getSuccessor(1))
    return writeJump(block, *branch->getSuccessor(0), flow);
  const std::string condition = use(*branch->getCondition());
  const std::string yes = captured(block, *branch->getSuccessor(0), flow);
  const std::string no = captured(block, *branch->getSuccessor(1), flow);
  if (yes.empty() && no.empty()) return;
  line("if (" + (yes.empty() ? "!" + condition : condition) + ") {");
  body_ += yes.empty() ? no : yes;
  if (!yes.empty() && !no.empty()) {
    line("} else {");
    body_ += no;
  }
  line("}");
}

std::string FunctionText::captured(const llvm::BasicBlock& from, const llvm::BasicBlock& to, const Flow& flow) {
  std::string before = std::exchange(body_, {});
  ++depth_;
  writeJump(from, to, flow);
  --depth_;
  return std::exchange(body_, std::move(before));
}

void FunctionText::writeJump(const llvm::BasicBlock& from, const llvm::BasicBlock& to, const Flow& flow) {
  if (&to == flow.follow) return;
  if (&to == flow.header) return line("continue;");
  if (&to == flow.exit) return line("break;");
  const llvm::DomTreeNode* const parent = dominators_.getNode(&to)->getIDom();
  if (parent && parent->getBlock() == &from && forwardEdges(to, dominators_) == 1) return writeTree(to, flow);
  spelling_.at = from.getTerminator();
  spelling_.report("control flow that does not nest", "write loops with one way out, without goto");
}

void FunctionText::writeBlock(const llvm::BasicBlock& block) {
  for (const llvm::PHINode& phi : block.phis()) {
    if (!direct_.contains(&phi)) line(names_.at(&phi) + " = " + names_.at(&phi) + "_next;");
  }
  for (const llvm::Instruction& instruction : block) {
    if (llvm::isa<llvm::PHINode>(instruction) || instruction.isTerminator()) continue;
    spelling_.at = &instruction;
    write(instruction);
  }
}

void FunctionText::passToPhis(const llvm::BasicBlock& from) {
  llvm::SmallPtrSet<const llvm::BasicBlock*, 2> done;
  for (const llvm::BasicBlock* to : llvm::successors(&from)) {
    if (!done.insert(to).second) continue;
    for (const llvm::PHINode& phi : to->phis()) {
      const llvm::Value& value = *phi.getIncomingValueForBlock(&from);
      if (llvm::isa<llvm::UndefValue>(value)) continue;
      assignMembers(names_.at(&phi) + (direct_.contains(&phi) ? "" : "_next"), value);
    }
  }
}

}  // namespace lathe::detail
