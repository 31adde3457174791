// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of the runtime ABI's check functions in one function of the module.
#pragma once

#include <optional>

#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/IRBuilder.h"

#include "core/abi/runtime_abi.h"
#include "core/sanitizer/provenance.h"
#include "core/sanitizer/sites.h"
#include "core/sanitizer/waits.h"

namespace lathe::detail {

class CheckCalls {
 public:
  /// `function` becomes checked. A kernel's items are counted and named; other functions do not know theirs.
  CheckCalls(llvm::Function& function, bool isKernel, unsigned subgroupSize, SiteWriter& sites);
  void run();

 private:
  /// One operand of an instruction that is an address.
  struct Access {
    unsigned operand;
    std::uint32_t does;
    llvm::Value* bytes;
  };
  void findItem();
  void check(llvm::Instruction& instruction);
  void checkAccess(llvm::Instruction& instruction, const Access& access);
  /// Begin and size of memory, as numbers, if they can be had without asking for each access.
  struct Bounds {
    llvm::Value* first;
    llvm::Value* size;
  };
  std::optional<Bounds> boundsOf(llvm::IRBuilder<>& builder, llvm::Value& base, const KnownObject& object);
  [[nodiscard]] bool mayRace(const llvm::Value& base, const KnownObject& object) const;
  using SmallAccesses = llvm::SmallVector<Access, 2>;
  [[nodiscard]] SmallAccesses accessesOf(llvm::Instruction& instruction) const;
  void checkCall(llvm::CallInst& call);
  [[nodiscard]] llvm::Value* maskOf(llvm::IRBuilder<>& builder, const llvm::CallInst& call) const;
  void announceWait(const WaitLoop& loop);
  llvm::CallInst& call(llvm::IRBuilder<>& builder, RuntimeId check, llvm::ArrayRef<llvm::Value*> arguments);

  llvm::Function& function_;
  SiteWriter& sites_;
  Provenance provenance_;
  bool isKernel_;
  unsigned subgroupSize_;
  llvm::Value* item_ = nullptr;
  llvm::Instruction* begin_ = nullptr;  ///< where the function's own code begins
  llvm::DenseMap<const llvm::Value*, Bounds> ofArguments_;
  llvm::DenseSet<const llvm::Value*> written_;  ///< bases that something is written to
};

}  // namespace lathe::detail
