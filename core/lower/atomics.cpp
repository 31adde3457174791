// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomics and fences of the device ABI, as LLVM instructions. The scope travels as the ABI's constant and becomes the
// target's synchronisation scope by the descriptor's table.
//
//   before: %o = call i32 @__lathe_atomic_add_i32(ptr %p, i32 1, i32 0, i32 2)
//   after:  %o = atomicrmw add ptr %p, i32 1 syncscope("workgroup") monotonic
#include <array>

#include "llvm/IR/IRBuilder.h"

#include "core/check/reachability.h"
#include "core/lower/device_abi.h"
#include "core/support/llvm_bridge.h"

namespace lathe::detail {
namespace {

constexpr std::array scopeNames = {"item", "subgroup", "group", "device", "system"};
constexpr std::array orderings = {llvm::AtomicOrdering::Monotonic, llvm::AtomicOrdering::Acquire,
                                  llvm::AtomicOrdering::Release, llvm::AtomicOrdering::AcquireRelease,
                                  llvm::AtomicOrdering::SequentiallyConsistent};

std::optional<llvm::AtomicRMWInst::BinOp> operationOf(std::string_view name) {
  struct Row {
    std::string_view prefix;
    llvm::AtomicRMWInst::BinOp operation;
  };
  constexpr Row rows[] = {
      {"atomic_add_i", llvm::AtomicRMWInst::Add},      {"atomic_add_f", llvm::AtomicRMWInst::FAdd},
      {"atomic_sub_", llvm::AtomicRMWInst::Sub},       {"atomic_and_", llvm::AtomicRMWInst::And},
      {"atomic_or_", llvm::AtomicRMWInst::Or},         {"atomic_xor_", llvm::AtomicRMWInst::Xor},
      {"atomic_min_i", llvm::AtomicRMWInst::Min},      {"atomic_max_i", llvm::AtomicRMWInst::Max},
      {"atomic_min_f", llvm::AtomicRMWInst::FMin},     {"atomic_max_f", llvm::AtomicRMWInst::FMax},
      {"atomic_umin_", llvm::AtomicRMWInst::UMin},     {"atomic_umax_", llvm::AtomicRMWInst::UMax},
      {"atomic_exchange_", llvm::AtomicRMWInst::Xchg}, {"atomic_inc_", llvm::AtomicRMWInst::UIncWrap},
      {"atomic_dec_", llvm::AtomicRMWInst::UDecWrap},
  };
  for (const Row& row : rows) {
    if (name.starts_with(row.prefix)) return row.operation;
  }
  return std::nullopt;
}

struct Ordering {
  llvm::AtomicOrdering order;
  llvm::SyncScope::ID scope;
};

/// The last two arguments: order and scope. What they may not be is a finding, and the call goes on as a relaxed one.
Ordering orderingOf(const llvm::CallInst& call, const AbiEntry& entry, Lowering& lowering) {
  const auto* const order = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(call.arg_size() - 2));
  const auto* const scope = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(call.arg_size() - 1));
  if (!order || !scope || order->getZExtValue() >= orderings.size() || scope->getZExtValue() >= scopeNames.size()) {
    lowering.findings.push_back(
        {.severity = Severity::error,
         .code = ErrorCode::PortableRule,
         .message = std::string(entry.symbol) + ": order and scope must be constants of the enumerations",
         .location = locationOf(call),
         .snippet = {},
         .notes = Reachability(lowering).chainTo(call),
         .hint =
             "pass enumerators of lathe::Order and lathe::Scope, or make the function around it a template of them"});
    return {llvm::AtomicOrdering::Monotonic, llvm::SyncScope::System};
  }
  const auto mapped = lowering.descriptor.syncScopes.find(scopeNames[scope->getZExtValue()]);
  const std::string name = mapped == lowering.descriptor.syncScopes.end() ? "" : mapped->second;
  const llvm::SyncScope::ID id =
      lowering.module->getContext().getOrInsertSyncScopeID(name);  // "" is LLVM's system scope
  return Ordering{orderings[order->getZExtValue()], id};
}

/// The strongest order a failed compare or a load may have.
llvm::AtomicOrdering loadOrder(llvm::AtomicOrdering order) {
  if (order == llvm::AtomicOrdering::AcquireRelease) return llvm::AtomicOrdering::Acquire;
  return order == llvm::AtomicOrdering::Release ? llvm::AtomicOrdering::Monotonic : order;
}
llvm::AtomicOrdering storeOrder(llvm::AtomicOrdering order) {
  if (order == llvm::AtomicOrdering::AcquireRelease) return llvm::AtomicOrdering::Release;
  return order == llvm::AtomicOrdering::Acquire ? llvm::AtomicOrdering::Monotonic : order;
}

/// What takes the place of `call`; null for those without a value.
llvm::Value* build(llvm::IRBuilder<>& builder, const AbiEntry& entry, const llvm::CallInst& call, const Ordering& how) {
  const auto alignOf = [&](llvm::Type* type) {
    return llvm::Align(type->getPrimitiveSizeInBits().getFixedValue() / 8);
  };
  if (entry.name == "fence") {
    // LLVM has no relaxed fence: ordering nothing is nothing.
    if (how.order != llvm::AtomicOrdering::Monotonic) builder.CreateFence(how.order, how.scope);
    return nullptr;
  }
  llvm::Value* const pointer = call.getArgOperand(0);
  if (entry.name.starts_with("atomic_load")) {
    llvm::LoadInst* const load = builder.CreateAlignedLoad(call.getType(), pointer, alignOf(call.getType()));
    load->setAtomic(loadOrder(how.order), how.scope);
    return load;
  }
  llvm::Value* const operand = call.getArgOperand(1);
  if (entry.name.starts_with("atomic_store")) {
    builder.CreateAlignedStore(operand, pointer, alignOf(operand->getType()))
        ->setAtomic(storeOrder(how.order), how.scope);
    return nullptr;
  }
  if (entry.name.starts_with("atomic_cas")) {
    llvm::Value* const pair =
        builder.CreateAtomicCmpXchg(pointer, operand, call.getArgOperand(2), alignOf(operand->getType()), how.order,
                                    loadOrder(how.order), how.scope);
    return builder.CreateExtractValue(pair, 0);
  }
  return builder.CreateAtomicRMW(*operationOf(entry.name), pointer, operand, alignOf(operand->getType()), how.order,
                                 how.scope);
}

}  // namespace

void lowerAtomic(llvm::Function& function, const AbiEntry& entry, Lowering& lowering) {
  for (llvm::User* user : llvm::make_early_inc_range(function.users())) {
    auto* const call = llvm::dyn_cast<llvm::CallInst>(user);
    if (!call) continue;
    Ordering how = orderingOf(*call, entry, lowering);
    llvm::IRBuilder<> builder(call);
    // Of the widest ones no back end but the CPUs' has the strongest order.
    if (entry.name.ends_with("_i128") && how.order == llvm::AtomicOrdering::SequentiallyConsistent) {
      builder.CreateFence(how.order, how.scope);
      how.order = llvm::AtomicOrdering::AcquireRelease;
    }
    if (llvm::Value* const value = build(builder, entry, *call, how)) call->replaceAllUsesWith(value);
    call->eraseFromParent();
  }
}

}  // namespace lathe::detail
