// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is looked at: every access but those of variables of the item's own at places known to be inside, barriers,
// meetings of subgroups and fences.
#include "core/sanitizer/calls.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include "core/abi/device_abi.h"
#include "core/abi/ir_types.h"
#include "core/group/analysis/uniformity.h"

namespace lathe::detail {
namespace {

/// A value of the launch that work-group lowering, or the target, provides.
llvm::Value* index(llvm::IRBuilder<>& builder, AbiId entry) {
  llvm::Module& module = *builder.GetInsertBlock()->getModule();
  llvm::FunctionCallee query = module.getOrInsertFunction(abiEntry(entry).symbol, builder.getInt32Ty());
  if (auto* const function = llvm::dyn_cast<llvm::Function>(query.getCallee())) {
    function->setDoesNotAccessMemory();
    function->setDoesNotThrow();
    function->setWillReturn();
  }
  return builder.CreateCall(query);
}

/// Whether a read is there only because of what lies beside the bits that are written: `a.bit = 1`.
bool isReadOfNeighbours(const llvm::LoadInst& load) {
  const auto goesBack = [&](const llvm::User* masked) {
    return llvm::any_of(masked->users(), [&](const llvm::User* merged) {
      if (const auto* const store = llvm::dyn_cast<llvm::StoreInst>(merged))
        return store->getPointerOperand() == load.getPointerOperand();
      return llvm::any_of(merged->users(), [&](const llvm::User* user) {
        const auto* const store = llvm::dyn_cast<llvm::StoreInst>(user);
        return store && store->getPointerOperand() == load.getPointerOperand();
      });
    });
  };
  return load.getType()->isIntegerTy() && llvm::any_of(load.users(), [&](const llvm::User* user) {
           const auto* const operation = llvm::dyn_cast<llvm::BinaryOperator>(user);
           return operation && operation->getOpcode() == llvm::Instruction::And &&
                  llvm::isa<llvm::ConstantInt>(operation->getOperand(1)) && goesBack(operation);
         });
}

std::uint32_t orderBits(const llvm::Instruction& instruction, llvm::AtomicOrdering order) {
  const std::uint32_t asWritten = instruction.isVolatile() ? abi::access::asWritten : 0;
  if (!instruction.isAtomic()) return asWritten;
  return asWritten | abi::access::atomic | (llvm::isStrongerThanMonotonic(order) ? abi::access::ordering : 0);
}

}  // namespace

CheckCalls::CheckCalls(llvm::Function& function, bool isKernel, unsigned subgroupSize, SiteWriter& sites)
    : function_(function), sites_(sites), isKernel_(isKernel), subgroupSize_(subgroupSize) {}

void CheckCalls::run() {
  std::vector<llvm::Instruction*> instructions;
  for (llvm::Instruction& instruction : llvm::instructions(function_)) {
    // What is wrong is to be found, not to be assumed not to happen.
    if (auto* const step = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction))
      step->setNoWrapFlags(llvm::GEPNoWrapFlags::none());
    instructions.push_back(&instruction);
  }
  findItem();
  for (const WaitLoop& loop : findWaits(function_)) announceWait(loop);
  for (llvm::Instruction* instruction : instructions) {
    for (const Access& access : accessesOf(*instruction)) {
      if ((access.does & abi::access::write) != 0)
        written_.insert(&provenance_.baseOf(*instruction->getOperand(access.operand)));
    }
  }
  for (llvm::Instruction* instruction : instructions) check(*instruction);
}

/// The item's position in its group, and what all of a launch have in common, known from the function's beginning on.
void CheckCalls::findItem() {
  llvm::IRBuilder<> builder(&*function_.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  if (llvm::DISubprogram* const subprogram = function_.getSubprogram())  // calls of what may be inlined need a place
    builder.SetCurrentDebugLocation(
        llvm::DILocation::get(function_.getContext(), subprogram->getLine(), 0, subprogram));
  item_ = builder.getInt32(abi::noItem);
  if (!isKernel_) return;
  llvm::Value* const x = index(builder, AbiId::item_id_x);
  llvm::Value* const y = index(builder, AbiId::item_id_y);
  llvm::Value* const z = index(builder, AbiId::item_id_z);
  llvm::Value* const plane = builder.CreateAdd(builder.CreateMul(z, index(builder, AbiId::group_size_y)), y);
  item_ = builder.CreateAdd(builder.CreateMul(plane, index(builder, AbiId::group_size_x)), x, "item");
  // The first item of a group is the first to run.
  begin_ = llvm::cast<llvm::Instruction>(builder.CreateIsNull(item_, "first"));
  builder.SetInsertPoint(llvm::SplitBlockAndInsertIfThen(begin_, builder.GetInsertPoint(), /*Unreachable=*/false));
  llvm::SmallVector<llvm::Value*> arguments = {item_};
  for (const AbiId axis : {AbiId::group_id_x, AbiId::group_id_y, AbiId::group_id_z})
    arguments.push_back(index(builder, axis));
  call(builder, RuntimeId::check_enter, arguments);
}

llvm::CallInst& CheckCalls::call(llvm::IRBuilder<>& builder, RuntimeId check, llvm::ArrayRef<llvm::Value*> arguments) {
  const RuntimeEntry& entry = runtimeEntry(check);
  llvm::FunctionCallee callee = function_.getParent()->getOrInsertFunction(
      entry.symbol, functionType(builder.getContext(), entry.signature, /*pointerSpace=*/0));
  llvm::cast<llvm::Function>(callee.getCallee())->setDoesNotThrow();
  return *builder.CreateCall(callee, arguments);
}

/// An iteration more is told of, and each way out.
void CheckCalls::announceWait(const WaitLoop& loop) {
  const auto reads = accessesOf(*loop.read);
  const auto object = sites_.objectOf(provenance_.baseOf(*loop.read->getOperand(reads.front().operand)));
  llvm::Constant& site = sites_.site(*loop.read, reads.front().does, object ? object->description : nullptr);
  const auto announce = [&](llvm::Instruction& before, RuntimeId check, llvm::ArrayRef<llvm::Value*> arguments) {
    llvm::IRBuilder<> builder(&before);
    builder.SetCurrentDebugLocation(loop.read->getDebugLoc());
    call(builder, check, arguments);
  };
  for (llvm::BasicBlock* latch : loop.latches) announce(*latch->getTerminator(), RuntimeId::check_wait, {&site, item_});
  for (const auto& [from, to] : loop.exits)
    announce(*llvm::SplitEdge(from, to)->getTerminator(), RuntimeId::check_waited, {});
}

void CheckCalls::check(llvm::Instruction& instruction) {
  if (auto* const fence = llvm::dyn_cast<llvm::FenceInst>(&instruction)) {
    llvm::IRBuilder<> builder(fence);
    call(builder, RuntimeId::check_fence, {item_});
    return;
  }
  for (const Access& access : accessesOf(instruction)) checkAccess(instruction, access);
  auto* const other = llvm::dyn_cast<llvm::CallInst>(&instruction);
  if (other && !llvm::isa<llvm::IntrinsicInst>(other)) checkCall(*other);
}

CheckCalls::SmallAccesses CheckCalls::accessesOf(llvm::Instruction& instruction) const {
  namespace does = abi::access;
  const llvm::DataLayout& layout = function_.getDataLayout();
  const auto bytesOf = [&](const llvm::Type* type) -> llvm::Value* {
    return llvm::ConstantInt::get(llvm::Type::getInt64Ty(function_.getContext()),
                                  layout.getTypeStoreSize(const_cast<llvm::Type*>(type)).getFixedValue());
  };
  if (const auto* const load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    const std::uint32_t neighbours = isReadOfNeighbours(*load) ? does::neighbours : 0;
    return {{llvm::LoadInst::getPointerOperandIndex(), does::read | neighbours | orderBits(*load, load->getOrdering()),
             bytesOf(load->getType())}};
  }
  if (const auto* const store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    return {{llvm::StoreInst::getPointerOperandIndex(), does::write | orderBits(*store, store->getOrdering()),
             bytesOf(store->getValueOperand()->getType())}};
  }
  if (const auto* const change = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
    return {{llvm::AtomicRMWInst::getPointerOperandIndex(),
             does::read | does::write | orderBits(*change, change->getOrdering()), bytesOf(change->getType())}};
  }
  if (const auto* const exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
    return {{llvm::AtomicCmpXchgInst::getPointerOperandIndex(),
             does::read | does::write | orderBits(*exchange, exchange->getSuccessOrdering()),
             bytesOf(exchange->getCompareOperand()->getType())}};
  }
  if (auto* const fill = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction)) {
    llvm::SmallVector<Access, 2> out = {{0, does::write, fill->getLength()}};
    // A copy takes along what lies between a structure's fields.
    if (llvm::isa<llvm::MemTransferInst>(fill)) out.push_back({1, does::read | does::padding, fill->getLength()});
    return out;
  }
  return {};
}

void CheckCalls::checkAccess(llvm::Instruction& instruction, const Access& access) {
  llvm::Value& pointer = *instruction.getOperand(access.operand);
  llvm::Value& base = provenance_.baseOf(pointer);
  const auto object = sites_.objectOf(base);
  const auto* const bytes = llvm::dyn_cast<llvm::ConstantInt>(access.bytes);
  if (object && object->sized && !mayRace(base, *object) && bytes && (access.does & abi::access::atomic) == 0 &&
      surelyWithin(pointer, base, object->bytes, bytes->getZExtValue()))
    return;
  llvm::IRBuilder<> builder(&instruction);
  // Most accesses are inside, and of those that race with none nothing else is to be noted.
  const bool plain = object && bytes && (access.does & abi::access::atomic) == 0;
  const auto bounds = plain ? boundsOf(builder, base, *object) : std::nullopt;
  if (bounds) {
    llvm::Value* const offset =
        builder.CreateSub(builder.CreatePtrToInt(&pointer, builder.getInt64Ty()), bounds->first);
    llvm::Value* const wide = builder.getInt64(bytes->getZExtValue());
    llvm::Value* const inside = builder.CreateAnd(builder.CreateICmpUGE(bounds->size, wide),
                                                  builder.CreateICmpULE(offset, builder.CreateSub(bounds->size, wide)));
    builder.SetInsertPoint(
        llvm::SplitBlockAndInsertIfThen(builder.CreateNot(inside, "outside"), instruction.getIterator(), false,
                                        llvm::MDBuilder(function_.getContext()).createUnlikelyBranchWeights()));
    builder.SetCurrentDebugLocation(instruction.getDebugLoc());
  }
  const auto generic = [&](llvm::Value& value) { return builder.CreateAddrSpaceCast(&value, builder.getPtrTy()); };
  llvm::CallInst& checked =
      call(builder, RuntimeId::check_access,
           {&sites_.site(instruction, access.does, object ? object->description : nullptr), generic(pointer),
            generic(base), builder.CreateZExtOrTrunc(access.bytes, builder.getInt64Ty()), item_});
  llvm::Value* checkedPointer = builder.CreateAddrSpaceCast(&checked, pointer.getType());
  if (bounds) {
    llvm::BasicBlock* const outside = builder.GetInsertBlock();
    builder.SetInsertPoint(&instruction);
    llvm::PHINode* const either = builder.CreatePHI(pointer.getType(), 2);
    either->addIncoming(checkedPointer, outside);
    either->addIncoming(&pointer, outside->getSinglePredecessor());
    checkedPointer = either;
  }
  instruction.setOperand(access.operand, checkedPointer);
}

/// Whether other items may write what `object` names: not what belongs to one item or is constant, nor what an argument
/// that is no other's alias points to where nothing is written through it.
bool CheckCalls::mayRace(const llvm::Value& base, const KnownObject& object) const {
  using abi::CheckedKind;
  switch (object.kind) {
    case CheckedKind::shared:
    case CheckedKind::dynamicShared:
      return true;
    case CheckedKind::global:
      return !llvm::cast<llvm::GlobalVariable>(base).isConstant();
    case CheckedKind::argument:
      return !llvm::cast<llvm::Argument>(base).hasNoAliasAttr() || written_.contains(&base);
    case CheckedKind::parameter:
    case CheckedKind::local:
      return false;
  }
  return true;
}

std::optional<CheckCalls::Bounds> CheckCalls::boundsOf(llvm::IRBuilder<>& builder, llvm::Value& base,
                                                       const KnownObject& object) {
  using abi::CheckedKind;
  if (mayRace(base, object)) return std::nullopt;
  if (object.sized) return Bounds{builder.CreatePtrToInt(&base, builder.getInt64Ty()), builder.getInt64(object.bytes)};
  if (!begin_) return std::nullopt;
  const auto [known, added] = ofArguments_.try_emplace(&base);
  if (!added) return known->second;
  llvm::IRBuilder<> atBegin(begin_);
  llvm::Value* const generic = atBegin.CreateAddrSpaceCast(&base, atBegin.getPtrTy());
  const auto ask = [&](RuntimeId check) {
    llvm::CallInst& question = call(atBegin, check, {generic});
    llvm::Function& function = *question.getCalledFunction();
    function.setDoesNotAccessMemory();
    function.setWillReturn();
    function.setSpeculatable();
    function.addFnAttr(ofLaunchAttribute);
    return &question;
  };
  known->second = {ask(RuntimeId::check_first), ask(RuntimeId::check_size)};
  return known->second;
}

/// The items of the subgroup that `call` names. A mask of 32 bits that names a half of them stands for the same items
/// of the other half too: who meets more than he named finds fewer races, not more.
llvm::Value* CheckCalls::maskOf(llvm::IRBuilder<>& builder, const llvm::CallInst& call) const {
  llvm::Value* const given = call.getArgOperand(0);
  llvm::Value* const mask = builder.CreateZExt(given, builder.getInt64Ty());
  const unsigned named = given->getType()->getIntegerBitWidth();
  return named < subgroupSize_ ? builder.CreateOr(mask, builder.CreateShl(mask, named)) : mask;
}

void CheckCalls::checkCall(llvm::CallInst& instruction) {
  const llvm::Function* const callee = instruction.getCalledFunction();
  const AbiEntry* const entry =
      callee && callee->isDeclaration() ? findAbiEntry(std::string_view(callee->getName())) : nullptr;
  if (!entry || !isKernel_) return;
  llvm::IRBuilder<> builder(&instruction);
  if (entry->has(AbiEffect::convergesSubgroup)) {
    call(builder, RuntimeId::check_converge, {item_, maskOf(builder, instruction), builder.getInt32(subgroupSize_)});
    builder.SetInsertPoint(instruction.getNextNode());
    call(builder, RuntimeId::check_converged, {item_});
  } else if (entry->has(AbiEffect::convergesGroup)) {
    call(builder, RuntimeId::check_barrier, {&sites_.site(instruction, 0, nullptr), item_});
  }
}

}  // namespace lathe::detail
