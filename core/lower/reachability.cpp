// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What entries reach.
#include "core/lower/reachability.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"

#include "core/lower/lowering.h"
#include "core/support/llvm_bridge.h"
#include "core/support/own_headers.h"

namespace lathe::detail {

/// The attribute of a function without a body that says where it is called: "LINE:COLUMN:FILE".
static constexpr const char* calledAt = "lathe.called-at";

void recordCallPlaces(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (!function.isDeclaration()) continue;
    SourceLocation first;
    for (const llvm::User* const user : function.users()) {
      const auto* const call = llvm::dyn_cast<llvm::CallBase>(user);
      const SourceLocation at = call ? locationOf(*call) : SourceLocation{};
      if (at.line == 0 || isOwnHeader(at.file)) continue;
      if (first.line == 0 || (at.file == first.file && at.line < first.line)) first = at;
    }
    if (first.line != 0)
      function.addFnAttr(calledAt, std::to_string(first.line) + ":" + std::to_string(first.column) + ":" + first.file);
  }
}

void forgetCallPlaces(llvm::Module& module) {
  for (llvm::Function& function : module) function.removeFnAttr(calledAt);
}

SourceLocation placeOf(const llvm::Instruction& instruction) {
  SourceLocation at = locationOf(instruction);
  const auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  const llvm::Function* const callee = call ? call->getCalledFunction() : nullptr;
  if (at.line != 0 || !callee) return at;
  const auto [line, rest] = callee->getFnAttribute(calledAt).getValueAsString().split(':');
  const auto [column, file] = rest.split(':');
  SourceLocation out{file.str(), 0, 0};
  return line.getAsInteger(10, out.line) || column.getAsInteger(10, out.column) ? at : out;
}

Reachability::Reachability(Lowering& lowering) {
  for (const EntryPoint& entry : lowering.info.entries) {
    const llvm::Function& function = lowering.functionOf(entry);
    if (!llvm::is_contained(order_, &function)) order_.push_back(&function);
  }
  for (const ExportedFunction& exported : lowering.interface.functions)
    order_.push_back(lowering.module->getFunction(exported.name));
  follow();
}

Reachability::Reachability(const llvm::Function& entry) : order_{&entry} {
  follow();
}

void Reachability::follow() {
  llvm::SmallPtrSet<const llvm::Function*, 16> seen(order_.begin(), order_.end());
  for (std::size_t i = 0; i < order_.size(); ++i) {
    for (const llvm::Instruction& instruction : llvm::instructions(*order_[i])) {
      // A function whose address is taken may be called: its body has to be valid too.
      for (const llvm::Use& operand : instruction.operands()) {
        const auto* const function = llvm::dyn_cast<llvm::Function>(operand->stripPointerCasts());
        if (!function || function->isIntrinsic() || !seen.insert(function).second) continue;
        if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) firstCaller_[function] = call;
        order_.push_back(function);
      }
    }
  }
}

namespace {

/// Adds the functions that were inlined around `instruction`, innermost first, but for Lathe's own wrappers, and
/// returns the place in the function that holds it.
SourceLocation addInlined(const llvm::Instruction& instruction, std::vector<Note>& out) {
  const llvm::DILocation* at = instruction.getDebugLoc().get();
  if (!at) return {};
  const auto placeOf = [](const llvm::DILocation& where) {
    return SourceLocation{where.getFilename().str(), where.getLine(), where.getColumn()};
  };
  for (; at->getInlinedAt(); at = at->getInlinedAt()) {
    if (isOwnHeader(at->getFilename())) continue;
    const llvm::DISubprogram* const function = at->getScope()->getSubprogram();
    const llvm::StringRef name = function->getLinkageName().empty() ? function->getName() : function->getLinkageName();
    out.push_back({"called from '" + demangled(name) + "'", placeOf(*at), {}});
  }
  return placeOf(*at);
}

}  // namespace

std::vector<Note> Reachability::chainTo(const llvm::Instruction& instruction) const {
  std::vector<Note> out;
  const llvm::Instruction* at = &instruction;
  while (at) {
    const llvm::Function* const holder = at->getFunction();
    const bool isEntry = holder->hasFnAttribute(attribute::kernel);
    SourceLocation place = addInlined(*at, out);
    if (isEntry && !out.empty() && out.back().message.ends_with("'" + demangled(holder->getName()) + "'")) {
      place = out.back().location;  // the entry's own body, which lowering made a function of
      out.pop_back();
    }
    const char* const how = !isEntry ? "called from '" : holder->hasSection() ? "in program '" : "in kernel '";
    out.push_back({std::string(how) + demangled(holder->getName()) + "'", std::move(place), {}});
    const auto caller = firstCaller_.find(holder);
    at = isEntry || caller == firstCaller_.end() ? nullptr : caller->second;
  }
  return out;
}

std::vector<const llvm::CallBase*> Reachability::recursiveCalls() const {
  // Colours of a depth-first search: a call to a function still open closes a circle.
  enum class State : unsigned char { unseen, open, done };
  llvm::DenseMap<const llvm::Function*, State> states;
  std::vector<const llvm::CallBase*> out;
  struct Frame {
    const llvm::Function* function;
    llvm::const_inst_iterator at;
  };
  std::vector<Frame> stack;
  const auto enter = [&](const llvm::Function* function) {
    states[function] = State::open;
    stack.push_back({function, llvm::inst_begin(function)});
  };
  for (const llvm::Function* root : order_) {
    if (states.lookup(root) != State::unseen) continue;
    enter(root);
    while (!stack.empty()) {
      Frame& frame = stack.back();
      if (frame.at == llvm::inst_end(frame.function)) {
        states[frame.function] = State::done;
        stack.pop_back();
        continue;
      }
      const auto* const call = llvm::dyn_cast<llvm::CallBase>(&*frame.at++);
      const llvm::Function* const callee = call ? call->getCalledFunction() : nullptr;
      if (!callee || callee->isDeclaration()) continue;
      const State state = states.lookup(callee);
      if (state == State::open) out.push_back(call);
      if (state == State::unseen) enter(callee);
    }
  }
  return out;
}

}  // namespace lathe::detail
