// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Target machines that wait for their next compile. A machine builds tables when it is first used (alias sets of
// registers, legal types and operations), which costs a small compile about as much as its own code generation.
#pragma once

#include <list>
#include <memory>
#include <mutex>
#include <string>

#include "llvm/Target/TargetMachine.h"

namespace lathe::detail {

/// Thread-safe. Must outlive its leases. A machine serves one compile at a time.
class MachinePool {
 public:
  /// Gives a machine back to its pool, or deletes it if it has none.
  struct Return {
    MachinePool* pool = nullptr;
    std::string key = {};
    llvm::TargetOptions options = {};  ///< as the machine was made: a compile may have changed its own
    llvm::CodeGenOptLevel level = {};  ///< likewise
    unsigned uses = 0;
    void operator()(llvm::TargetMachine* machine) const;
  };
  using Lease = std::unique_ptr<llvm::TargetMachine, Return>;

  /// A machine that was lent under this key before, or null. The key says all that the machine was made of.
  Lease take(const std::string& key);
  /// Makes `machine` one of the pool's.
  Lease lend(std::string key, std::unique_ptr<llvm::TargetMachine> machine);

 private:
  void put(Return from, std::unique_ptr<llvm::TargetMachine> machine);

  struct Idle {
    std::unique_ptr<llvm::TargetMachine> machine;
    Return from;
  };
  std::mutex mutex_;
  std::list<Idle> idle_;  ///< the longest idle first
};

}  // namespace lathe::detail
