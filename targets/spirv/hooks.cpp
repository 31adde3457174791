// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What data cannot say of SPIR-V for OpenCL: fences name the storage classes they order, what OpenCL knows of a kernel
// stands in metadata, and tables that are only read belong in the UniformConstant storage class, which devices of all
// versions of OpenCL have, while initialised variables in CrossWorkgroup are optional.
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/Utils/Local.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsSPIRV.h"
#include "llvm/IR/Module.h"

#include <lathe/sdk/target.h>

namespace lathe::detail {
namespace {

constexpr unsigned uniformConstant = 2;
constexpr const char* localSize = "lathe.spirv.local-size";  // as the descriptor names it

/// SPIR-V's number for a synchronisation scope of LLVM's (SPIR-V specification, 3.27).
unsigned scopeNumber(llvm::StringRef name) {
  constexpr const char* names[] = {"", "device", "workgroup", "subgroup"};
  for (unsigned i = 0; i < std::size(names); ++i) {
    if (name == names[i]) return i;
  }
  return 0;
}

/// SPIR-V's memory semantics (3.25): the order, and that it holds for group and global memory.
unsigned semantics(llvm::AtomicOrdering order) {
  constexpr unsigned workgroupMemory = 0x100, globalMemory = 0x200;
  constexpr unsigned memory = workgroupMemory | globalMemory;
  switch (order) {
    case llvm::AtomicOrdering::Acquire:
      return 0x2 | memory;
    case llvm::AtomicOrdering::Release:
      return 0x4 | memory;
    case llvm::AtomicOrdering::AcquireRelease:
      return 0x8 | memory;
    default:
      return 0x10 | memory;
  }
}

void lowerFences(llvm::Module& module) {
  llvm::SmallVector<llvm::StringRef> names;
  module.getContext().getSyncScopeNames(names);
  llvm::IRBuilder<> types(module.getContext());
  for (llvm::Function& function : module) {
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      auto* const fence = llvm::dyn_cast<llvm::FenceInst>(&instruction);
      if (!fence) continue;
      if (fence->getSyncScopeID() == llvm::SyncScope::SingleThread) {
        fence->eraseFromParent();  // within an item its own order holds already
        continue;
      }
      const llvm::FunctionCallee barrier = module.getOrInsertFunction("_Z21__spirv_MemoryBarrierii", types.getVoidTy(),
                                                                      types.getInt32Ty(), types.getInt32Ty());
      llvm::IRBuilder<> builder(fence);
      builder.CreateCall(barrier, {builder.getInt32(scopeNumber(names[fence->getSyncScopeID()])),
                                   builder.getInt32(semantics(fence->getOrdering()))});
      fence->eraseFromParent();
    }
  }
}

/// Hints that have no counterpart, which the back end turns into calls or ends the process on.
void dropHints(llvm::Module& module) {
  for (llvm::Function& function : module) {
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      auto* const hint = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      if (!hint || hint->isLifetimeStartOrEnd() || llvm::isa<llvm::DbgInfoIntrinsic>(hint)) continue;
      const bool assumes = hint->isAssumeLikeIntrinsic() && hint->getType()->isVoidTy();
      if (assumes || hint->getIntrinsicID() == llvm::Intrinsic::prefetch) hint->eraseFromParent();
    }
  }
}

/// Address computations through structures count bytes: SPIR-V wants constants for members, and LLVM's back end writes
/// member 0 as something else.
void flattenAddresses(llvm::Module& module) {
  for (llvm::Function& function : module) {
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      auto* const address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
      if (!address || !address->getType()->isPointerTy()) continue;
      bool structured = false;
      for (auto step = llvm::gep_type_begin(address); step != llvm::gep_type_end(address); ++step)
        structured |= step.isStruct();
      if (!structured) continue;
      llvm::IRBuilder<> builder(address);
      llvm::Value* const offset = llvm::emitGEPOffset(&builder, module.getDataLayout(), address);
      llvm::Value* const flat =
          builder.CreatePtrAdd(address->getPointerOperand(), offset, address->getName(), address->getNoWrapFlags());
      address->replaceAllUsesWith(flat);
      address->eraseFromParent();
    }
  }
}

/// printf takes pointers to characters, which the back end would give the type of the whole array.
void castStrings(llvm::Module& module) {
  llvm::Function* const print = module.getFunction("printf");
  for (llvm::User* user : print ? llvm::SmallVector<llvm::User*>(print->users()) : llvm::SmallVector<llvm::User*>()) {
    auto* const call = llvm::dyn_cast<llvm::CallInst>(user);
    for (unsigned i = 0; call && i < call->arg_size(); ++i) {
      llvm::Value* const text = call->getArgOperand(i);
      if (!llvm::isa<llvm::GlobalVariable>(text)) continue;
      llvm::IRBuilder<> builder(call);
      auto* const element = llvm::MetadataAsValue::get(
          module.getContext(), llvm::ConstantAsMetadata::get(llvm::PoisonValue::get(builder.getInt8Ty())));
      call->setArgOperand(i, builder.CreateIntrinsic(llvm::Intrinsic::spv_ptrcast, {text->getType(), text->getType()},
                                                     {text, element, builder.getInt32(uniformConstant)}));
    }
  }
}

llvm::MDNode* numbers(llvm::LLVMContext& context, llvm::ArrayRef<unsigned> values) {
  llvm::SmallVector<llvm::Metadata*> out;
  for (const unsigned value : values)
    out.push_back(llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), value)));
  return llvm::MDNode::get(context, out);
}

bool callsSubgroupFunctions(const llvm::Function& kernel) {
  return llvm::any_of(llvm::instructions(kernel), [](const llvm::Instruction& instruction) {
    const auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    const llvm::Function* const callee = call ? call->getCalledFunction() : nullptr;
    return callee && callee->getName().contains("sub_group_");
  });
}

/// Sizes that launches must keep. Masks and segments of the device ABI count on 32 items to a subgroup.
void describeKernels(llvm::Module& module, unsigned subgroupSize) {
  for (llvm::Function& function : module) {
    if (function.getCallingConv() != llvm::CallingConv::SPIR_KERNEL) continue;
    if (const llvm::Attribute size = function.getFnAttribute(localSize); size.isValid()) {
      llvm::SmallVector<llvm::StringRef, 3> texts;
      llvm::SmallVector<unsigned, 3> extents(3, 1);
      size.getValueAsString().split(texts, ',');
      for (std::size_t i = 0; i < extents.size(); ++i) (void)texts[i].getAsInteger(10, extents[i]);
      function.setMetadata("reqd_work_group_size", numbers(module.getContext(), extents));
    }
    if (callsSubgroupFunctions(function))
      function.setMetadata("intel_reqd_sub_group_size", numbers(module.getContext(), {subgroupSize}));
  }
}

/// Whether `pointer` only leads to loads, through address computations.
bool onlyRead(const llvm::Value& pointer) {
  return llvm::all_of(pointer.users(), [](const llvm::User* user) {
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(user)) return !load->isAtomic() && !load->isVolatile();
    return llvm::isa<llvm::GEPOperator>(user) && onlyRead(*user);
  });
}

void rebase(llvm::Value& old, llvm::Value& made);

void rebaseUser(llvm::User& user, llvm::Value& old, llvm::Value& made) {
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&user)) {
    load->setOperand(0, &made);
  } else if (auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&user)) {
    llvm::SmallVector<llvm::Value*> indices(address->indices());
    llvm::Value* const moved = llvm::IRBuilder<>(address).CreateGEP(address->getSourceElementType(), &made, indices,
                                                                    address->getName(), address->getNoWrapFlags());
    rebase(*address, *moved);
    address->eraseFromParent();
  } else {
    auto& constant = llvm::cast<llvm::GEPOperator>(user);
    llvm::SmallVector<llvm::Constant*> indices;
    for (llvm::Use& index : constant.indices()) indices.push_back(llvm::cast<llvm::Constant>(index));
    rebase(constant,
           *llvm::ConstantExpr::getGetElementPtr(constant.getSourceElementType(), llvm::cast<llvm::Constant>(&made),
                                                 indices, constant.getNoWrapFlags()));
  }
  (void)old;
}

void rebase(llvm::Value& old, llvm::Value& made) {
  llvm::SmallSetVector<llvm::User*, 8> users;
  users.insert_range(old.users());
  for (llvm::User* user : users) rebaseUser(*user, old, made);
}

/// Internal tables that are only read, with addresses that nothing takes.
void moveTables(llvm::Module& module) {
  for (llvm::GlobalVariable& table : llvm::make_early_inc_range(module.globals())) {
    if (!table.isConstant() || !table.hasLocalLinkage() || !table.hasInitializer()) continue;
    table.removeDeadConstantUsers();
    if (table.getAddressSpace() == uniformConstant || !onlyRead(table)) continue;
    auto* const made =
        new llvm::GlobalVariable(module, table.getValueType(), true, table.getLinkage(), table.getInitializer(), "",
                                 &table, llvm::GlobalValue::NotThreadLocal, uniformConstant);
    made->copyAttributesFrom(&table);
    made->takeName(&table);
    rebase(table, *made);
    table.removeDeadConstantUsers();
    table.eraseFromParent();
  }
}

class SpirvHooks final : public TargetHooks {
 public:
  llvm::Error finishIr(TargetContext& context) override {
    llvm::Module& module = context.module;
    lowerFences(module);
    dropHints(module);
    flattenAddresses(module);
    moveTables(module);
    castStrings(module);
    describeKernels(module, 32);
    llvm::LLVMContext& llvm = module.getContext();
    module.getOrInsertNamedMetadata("opencl.ocl.version")->addOperand(numbers(llvm, {2, 0}));
    // Its absence is SPIR-V's execution mode ContractionOff.
    if (context.job.options.contract) module.getOrInsertNamedMetadata("opencl.enable.FP_CONTRACT");
    return llvm::Error::success();
  }
};

}  // namespace

std::unique_ptr<TargetHooks> lathe_target_spirv_hooks() {
  return std::make_unique<SpirvHooks>();
}

}  // namespace lathe::detail
