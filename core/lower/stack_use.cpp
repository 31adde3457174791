// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stack use by walking the calls.
#include "core/lower/stack_use.h"

#include <algorithm>
#include <map>

#include "llvm/Analysis/StackLifetime.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

#include "core/support/llvm_bridge.h"

namespace lathe::detail {
namespace {

struct Variable {
  std::string name;
  std::uint64_t bytes = 0;
  SourceLocation location;
};

struct Frame {
  const llvm::Function* function = nullptr;
  std::uint64_t bytes = 0;
  std::vector<Variable> variables;
  std::vector<const llvm::Function*> callees;
};

Variable describe(const llvm::AllocaInst& slot, std::uint64_t bytes) {
  Variable out{.name = slot.getName().str(), .bytes = bytes, .location = {}};
  auto* const value = const_cast<llvm::AllocaInst*>(&slot);  // LLVM's interface takes no const value
  for (const llvm::DbgVariableRecord* record : llvm::findDVRDeclares(value)) {
    const llvm::DILocalVariable* const variable = record->getVariable();
    out.name = variable->getName().str();
    out.location = {variable->getFilename().str(), variable->getLine(), 0};
  }
  return out;
}

/// The bytes of all variables that are needed at once, where most are: code generators give one place to several that
/// are not.
std::uint64_t bytesAtOnce(const llvm::Function& function, llvm::ArrayRef<const llvm::AllocaInst*> slots) {
  llvm::StackLifetime lifetimes(function, slots, llvm::StackLifetime::LivenessType::Must);
  lifetimes.run();
  const llvm::DataLayout& layout = function.getDataLayout();
  std::uint64_t most = 0;
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    if (!llvm::isa<llvm::CallBase>(instruction)) continue;  // lifetimes begin and end at calls
    std::uint64_t bytes = 0;
    for (const llvm::AllocaInst* const slot : slots)
      if (lifetimes.isAliveAfter(slot, &instruction)) bytes += slot->getAllocationSize(layout)->getFixedValue();
    most = std::max(most, bytes);
  }
  return most;
}

Frame frameOf(const llvm::Function& function) {
  Frame out{.function = &function, .bytes = 0, .variables = {}, .callees = {}};
  const llvm::DataLayout& layout = function.getDataLayout();
  llvm::SmallVector<const llvm::AllocaInst*> slots;
  bool end = false;
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    if (const auto* slot = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
      const auto size = slot->getAllocationSize(layout);
      if (!size || size->isScalable()) continue;
      const std::uint64_t align = slot->getAlign().value();
      out.bytes = (out.bytes + align - 1) / align * align + size->getFixedValue();
      slots.push_back(slot);
      out.variables.push_back(describe(*slot, size->getFixedValue()));
    }
    end |= llvm::isa<llvm::LifetimeIntrinsic>(instruction);
    const auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (!call || llvm::isa<llvm::IntrinsicInst>(call)) continue;
    // A function that is handed over may be called back from here.
    for (const llvm::Use& operand : call->operands()) {
      const auto* const callee = llvm::dyn_cast<llvm::Function>(operand->stripPointerCasts());
      if (callee && !callee->isDeclaration()) out.callees.push_back(callee);
    }
  }
  if (end && slots.size() > 1) out.bytes = std::min(out.bytes, bytesAtOnce(function, slots));
  return out;
}

class StackWalk {
 public:
  /// Bytes from `function` on; remembers which callee is deepest.
  std::uint64_t depth(const llvm::Function& function) {
    const auto [at, fresh] = frames_.try_emplace(&function);
    if (!fresh) return at->second.total;  // 0 while it is being walked: a circle
    Walked walked{.frame = frameOf(function), .total = 0, .next = nullptr};
    std::uint64_t deepest = 0;
    for (const llvm::Function* callee : walked.frame.callees) {
      const std::uint64_t bytes = depth(*callee);
      if (bytes <= deepest) continue;
      deepest = bytes;
      walked.next = callee;
    }
    walked.total = walked.frame.bytes + deepest;
    const std::uint64_t total = walked.total;
    frames_[&function] = std::move(walked);
    return total;
  }

  StackUse report(const llvm::Function& entry) {
    StackUse out;
    out.bytes = depth(entry);
    std::uint64_t largest = 0;
    for (const llvm::Function* at = &entry; at; at = frames_[at].next) {
      const Frame& frame = frames_[at].frame;
      if (frame.bytes == 0) continue;
      out.largestFrame = std::max(out.largestFrame, frame.bytes);
      out.frames.push_back(
          {"'" + demangled(at->getName()) + "' keeps " + std::to_string(frame.bytes) + " bytes", locationOf(*at), {}});
      for (const Variable& variable : frame.variables) {
        if (variable.bytes > largest) {
          largest = variable.bytes;
          out.largest = variable.location.file.empty() ? locationOf(*at) : variable.location;
        }
        if (!variable.name.empty())
          out.frames.push_back(
              {"'" + variable.name + "' takes " + std::to_string(variable.bytes) + " of them", variable.location, {}});
      }
    }
    return out;
  }

 private:
  struct Walked {
    Frame frame;
    std::uint64_t total = 0;
    const llvm::Function* next = nullptr;
  };
  std::map<const llvm::Function*, Walked> frames_;
};

}  // namespace

StackUse stackUseOf(const llvm::Function& entry) {
  return StackWalk().report(entry);
}

}  // namespace lathe::detail
