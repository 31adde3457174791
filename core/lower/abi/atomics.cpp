// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomics and fences of the device ABI, as LLVM instructions. Order and scope travel as the ABI's numbers; the scope
// becomes the target's synchronisation scope by the descriptor's table. Where an order or a scope is no constant, there
// is one instruction for each value, as Clang has it for the orders of C11.
//
//   before: %o = call i32 @__lathe_atomic_add_i32(ptr %p, i32 1, i32 0, i32 2)
//   after:  %o = atomicrmw add ptr %p, i32 1 syncscope("workgroup") monotonic
#include <array>

#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include "core/lower/abi/device_abi.h"
#include "core/lower/reachability.h"
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

/// The device ABI's functions whose last two arguments are an order and a scope.
bool isOrdered(llvm::StringRef symbol) {
  return symbol == "__lathe_fence" || symbol.starts_with("__lathe_atomic_");
}

struct Ordering {
  llvm::AtomicOrdering order;
  llvm::SyncScope::ID scope;
};

/// The last two arguments: order and scope. What they may not be is a diagnostic, and the call goes on as a relaxed
/// one.
Ordering orderingOf(const llvm::CallInst& call, const AbiEntry& entry, Lowering& lowering) {
  const auto* const order = llvm::cast<llvm::ConstantInt>(call.getArgOperand(call.arg_size() - 2));
  const auto* const scope = llvm::cast<llvm::ConstantInt>(call.getArgOperand(call.arg_size() - 1));
  if (order->getZExtValue() >= orderings.size() || scope->getZExtValue() >= scopeNames.size()) {
    lowering.diagnostics.push_back(
        {.severity = Severity::error,
         .code = ErrorCode::PortableRule,
         .message = std::string(entry.symbol) + ": order and scope must be values of the enumerations",
         .location = locationOf(call),
         .snippet = {},
         .notes = Reachability(lowering).chainTo(call),
         .hint = "pass enumerators of lathe::Order and lathe::Scope"});
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
  if (entry.id == AbiId::fence) {
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

bool isOpen(const llvm::CallInst& call, unsigned fromEnd) {
  return !llvm::isa<llvm::ConstantInt>(call.getArgOperand(call.arg_size() - fromEnd));
}

/// One call for each value below `values` of the argument `fromEnd` before the end; all others mean the last, the
/// strongest.
///
///   before: %o = call i32 @__lathe_atomic_add_i32(ptr %p, i32 1, i32 %order, i32 2)
///   after:  switch i32 %order, label %value.4 [i32 0, label %value.0 …]
///           %o = phi i32 [%o.0, %value.0] …
void splitByValue(llvm::CallInst& call, unsigned fromEnd, unsigned values) {
  const unsigned index = call.arg_size() - fromEnd;
  llvm::Value* const chosen = call.getArgOperand(index);
  auto* const type = llvm::cast<llvm::IntegerType>(chosen->getType());
  llvm::BasicBlock* const before = call.getParent();
  llvm::BasicBlock* const after = llvm::SplitBlock(before, &call);
  llvm::IRBuilder<> builder(&call);
  llvm::PHINode* const result = call.getType()->isVoidTy() ? nullptr : builder.CreatePHI(call.getType(), values);
  llvm::SwitchInst* choice = nullptr;
  for (unsigned value = values; value-- > 0;) {
    auto* const block =
        llvm::BasicBlock::Create(call.getContext(), "value." + llvm::Twine(value), before->getParent(), after);
    auto* const own = llvm::cast<llvm::CallInst>(call.clone());
    own->setArgOperand(index, llvm::ConstantInt::get(type, value));
    own->insertInto(block, block->end());
    builder.SetInsertPoint(block);
    builder.SetCurrentDebugLocation(call.getDebugLoc());
    builder.CreateBr(after);
    if (result) result->addIncoming(own, block);
    if (choice) {
      choice->addCase(llvm::ConstantInt::get(type, value), block);
    } else {
      before->getTerminator()->eraseFromParent();
      builder.SetInsertPoint(before);
      choice = builder.CreateSwitch(chosen, block, values);
    }
  }
  if (result) call.replaceAllUsesWith(result);
  call.eraseFromParent();
}

/// Splits the calls of `function` whose argument `fromEnd` before the end is no constant.
void splitOpenCalls(llvm::Function& function, unsigned fromEnd, unsigned values) {
  llvm::SmallVector<llvm::CallInst*> open;
  for (llvm::User* user : function.users()) {
    auto* const call = llvm::dyn_cast<llvm::CallInst>(user);
    if (call && isOpen(*call, fromEnd)) open.push_back(call);
  }
  for (llvm::CallInst* call : open) splitByValue(*call, fromEnd, values);
}

}  // namespace

llvm::SmallVector<llvm::CallInst*, 8> openOrders(llvm::Module& module) {
  llvm::SmallVector<llvm::CallInst*, 8> out;
  for (llvm::Function& function : module) {
    if (!function.isDeclaration() || !isOrdered(function.getName())) continue;
    for (llvm::User* user : function.users()) {
      auto* const call = llvm::dyn_cast<llvm::CallInst>(user);
      if (call && (isOpen(*call, 1) || isOpen(*call, 2))) out.push_back(call);
    }
  }
  return out;
}

void lowerAtomic(llvm::Function& function, const AbiEntry& entry, Lowering& lowering) {
  splitOpenCalls(function, 2, orderings.size());
  splitOpenCalls(function, 1, scopeNames.size());
  for (llvm::User* user : llvm::make_early_inc_range(function.users())) {
    auto* const call = llvm::dyn_cast<llvm::CallInst>(user);
    if (!call) continue;
    const Ordering how = orderingOf(*call, entry, lowering);
    llvm::IRBuilder<> builder(call);
    if (llvm::Value* const value = build(builder, entry, *call, how)) call->replaceAllUsesWith(value);
    call->eraseFromParent();
  }
}

}  // namespace lathe::detail
