// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Target machines that wait for their next compile.
#include "core/lower/machine_pool.h"

#include <algorithm>

namespace lathe::detail {
namespace {

/// A machine keeps a little of every module (names that its assembly printer saved), so none serves for ever.
constexpr unsigned mostUses = 64;
/// A machine and its tables are 1 to 4 MB.
constexpr std::size_t mostIdle = 8;

}  // namespace

void MachinePool::Return::operator()(llvm::TargetMachine* machine) const {
  std::unique_ptr<llvm::TargetMachine> owned(machine);
  if (pool) pool->put(*this, std::move(owned));
}

MachinePool::Lease MachinePool::take(const std::string& key) {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find(idle_, key, [](const Idle& one) -> const std::string& { return one.from.key; });
  if (found == idle_.end()) return nullptr;
  Lease out(found->machine.release(), std::move(found->from));
  ++out.get_deleter().uses;
  idle_.erase(found);
  return out;
}

MachinePool::Lease MachinePool::lend(std::string key, std::unique_ptr<llvm::TargetMachine> machine) {
  const llvm::TargetOptions options = machine->Options;
  const llvm::CodeGenOptLevel level = machine->getOptLevel();
  return {machine.release(), Return{this, std::move(key), options, level, 1}};
}

void MachinePool::put(Return from, std::unique_ptr<llvm::TargetMachine> machine) {
  if (from.uses >= mostUses) return;
  machine->Options = from.options;
  machine->setOptLevel(from.level);
  std::list<Idle> dropped;  // deleted without the lock
  const std::lock_guard lock(mutex_);
  idle_.push_back({std::move(machine), std::move(from)});
  if (idle_.size() > mostIdle) dropped.splice(dropped.begin(), idle_, idle_.begin());
}

}  // namespace lathe::detail
