// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What entries reach: the calls that survive optimisation, with the chain that leads to each.
#pragma once

#include <vector>

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Instructions.h"

#include <lathe/result.h>

namespace lathe::detail {

struct Lowering;

/// Writes down, at each function without a body, the first place of the source that calls it. Optimisation drops the
/// lines of calls that it moves or merges.
void recordCallPlaces(llvm::Module& module);
/// Takes the places away again: they are no part of what is emitted.
void forgetCallPlaces(llvm::Module& module);

/// Where an instruction was written; of a call whose line is lost, what recordCallPlaces() wrote down.
SourceLocation placeOf(const llvm::Instruction& instruction);

class Reachability {
 public:
  /// From all entries and exported functions, or from one function.
  explicit Reachability(Lowering& lowering);
  explicit Reachability(const llvm::Function& entry);

  /// Functions that entries reach, entries first, callers before callees.
  const std::vector<const llvm::Function*>& functions() const { return order_; }
  /// "called from 'helper' at f.cpp:7:3", …, up to the entry; functions that were inlined too, where debug information
  /// knows them.
  std::vector<Note> chainTo(const llvm::Instruction& instruction) const;
  /// Functions that can call themselves, each with one call that closes the circle.
  std::vector<const llvm::CallBase*> recursiveCalls() const;

 private:
  void follow();

  std::vector<const llvm::Function*> order_;
  llvm::DenseMap<const llvm::Function*, const llvm::CallBase*> firstCaller_;
};

}  // namespace lathe::detail
