// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layout: variables by falling alignment, then size, then name, so that no padding is lost and the result does not
// depend on the order of the module. Pointers of the group's address space change their type in place: IR pointers are
// opaque, so only null constants, casts between spaces and intrinsics named after a space need more than that.
#include "core/group/emit/shared_memory.h"

#include <algorithm>
#include <tuple>
#include <vector>

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ReplaceConstant.h"

#include "core/group/entry/group_entry.h"

namespace lathe::detail {
namespace {

bool isUsedIn(const llvm::GlobalVariable& variable, const llvm::Function& function) {
  return llvm::any_of(variable.users(), [&](const llvm::User* user) {
    const auto* const instruction = llvm::dyn_cast<llvm::Instruction>(user);
    return instruction && instruction->getFunction() == &function;
  });
}

void replaceIn(const llvm::Function& function, llvm::GlobalVariable& variable, llvm::Value& place) {
  variable.replaceUsesWithIf(&place, [&](const llvm::Use& use) {
    const auto* const instruction = llvm::dyn_cast<llvm::Instruction>(use.getUser());
    return instruction && instruction->getFunction() == &function;
  });
}

class SpaceRemover {
 public:
  SpaceRemover(llvm::Function& function, unsigned space) : function_(function), space_(space) {}

  void run() {
    std::vector<llvm::Instruction*> instructions;
    for (llvm::Instruction& instruction : llvm::instructions(function_)) instructions.push_back(&instruction);
    for (llvm::Instruction* instruction : instructions) {
      for (llvm::Use& use : instruction->operands()) {
        if (const auto* constant = llvm::dyn_cast<llvm::Constant>(use.get())) use.set(generic(*constant));
      }
      if (llvm::Type* const type = generic(instruction->getType())) instruction->mutateType(type);
    }
    for (llvm::Instruction* instruction : instructions) finish(*instruction);
  }

 private:
  /// `type` with generic pointers; null if it is not a pointer, or vector of pointers, of the space.
  llvm::Type* generic(llvm::Type* type) const {
    if (!type->isPtrOrPtrVectorTy() || type->getPointerAddressSpace() != space_) return nullptr;
    return type->getWithNewType(llvm::PointerType::get(type->getContext(), 0));
  }

  llvm::Constant* generic(const llvm::Constant& constant) const {
    auto* const same = const_cast<llvm::Constant*>(&constant);
    const auto* const expression = llvm::dyn_cast<llvm::ConstantExpr>(&constant);
    if (expression && expression->getOpcode() == llvm::Instruction::AddrSpaceCast &&
        generic(expression->getOperand(0)->getType())) {
      return generic(*expression->getOperand(0));
    }
    llvm::Type* const type = generic(constant.getType());
    if (!type) return same;
    if (llvm::isa<llvm::PoisonValue>(constant)) return llvm::PoisonValue::get(type);
    if (llvm::isa<llvm::UndefValue>(constant)) return llvm::UndefValue::get(type);
    return llvm::Constant::getNullValue(type);  // what is left of constants: the variables have been replaced
  }

  static void finish(llvm::Instruction& instruction) {
    if (auto* cast = llvm::dyn_cast<llvm::AddrSpaceCastInst>(&instruction)) {
      if (cast->getSrcTy() != cast->getDestTy()) return;
      cast->replaceAllUsesWith(cast->getPointerOperand());
      cast->eraseFromParent();
    } else if (auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) {
      renameIntrinsic(*intrinsic);
    }
  }

  static void renameIntrinsic(llvm::IntrinsicInst& call) {
    llvm::SmallVector<llvm::Type*> operands;
    for (const llvm::Value* operand : call.args()) operands.push_back(operand->getType());
    auto* const type = llvm::FunctionType::get(call.getType(), operands, call.getFunctionType()->isVarArg());
    if (type == call.getFunctionType()) return;
    llvm::SmallVector<llvm::Type*> overloads;
    if (!llvm::Intrinsic::getIntrinsicSignature(call.getIntrinsicID(), type, overloads)) return;
    call.setCalledFunction(llvm::Intrinsic::getOrInsertDeclaration(call.getModule(), call.getIntrinsicID(), overloads));
  }

  llvm::Function& function_;
  unsigned space_;
};

std::vector<llvm::GlobalVariable*> variablesOf(llvm::Function& function, unsigned space) {
  const llvm::DataLayout& layout = function.getDataLayout();
  std::vector<llvm::GlobalVariable*> variables;
  for (llvm::GlobalVariable& variable : function.getParent()->globals()) {
    if (variable.getAddressSpace() != space) continue;
    llvm::convertUsersOfConstantsToInstructions({&variable}, &function);
    if (isUsedIn(variable, function)) variables.push_back(&variable);
  }
  const auto key = [&](const llvm::GlobalVariable* variable) {
    return std::tuple(layout.getPreferredAlign(variable).value(),
                      layout.getTypeAllocSize(variable->getValueType()).getFixedValue());
  };
  llvm::stable_sort(variables, [&](const llvm::GlobalVariable* a, const llvm::GlobalVariable* b) {
    return key(a) != key(b) ? key(a) > key(b) : a->getName() < b->getName();
  });
  return variables;
}

}  // namespace

SharedLayout placeSharedVariables(llvm::Function& function, llvm::Value& base, unsigned groupSpace) {
  const llvm::DataLayout& layout = function.getDataLayout();
  llvm::IRBuilder<> builder(&*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  SharedLayout out;
  std::vector<llvm::GlobalVariable*> dynamic;
  // The block is aligned to `groupBlockAlign`. What needs more finds its place when the kernel runs, in reserved bytes.
  const auto reserve = [](llvm::Align align) {
    return align.value() > abi::groupBlockAlign ? align.value() - abi::groupBlockAlign : 0;
  };
  const auto place = [&](llvm::GlobalVariable& variable, std::uint64_t offset, llvm::Align align) {
    llvm::Value* address =
        builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), &base, offset + reserve(align), variable.getName());
    if (reserve(align) != 0) {
      llvm::Type* const index = layout.getIndexType(address->getType());
      llvm::Value* const mask = llvm::ConstantInt::getSigned(index, -static_cast<std::int64_t>(align.value()));
      address = builder.CreateIntrinsic(llvm::Intrinsic::ptrmask, {address->getType(), index}, {address, mask});
    }
    // The type of the space for now: SpaceRemover turns this cast, like all others, into nothing.
    replaceIn(function, variable, *builder.CreateAddrSpaceCast(address, variable.getType()));
  };
  llvm::Align dynamicAlign(abi::groupBlockAlign);
  for (llvm::GlobalVariable* variable : variablesOf(function, groupSpace)) {
    const llvm::Align align = layout.getPreferredAlign(variable);
    if (variable->isDeclaration()) {
      dynamic.push_back(variable);
      dynamicAlign = std::max(dynamicAlign, align);
      continue;
    }
    const std::uint64_t offset = llvm::alignTo(out.bytes, std::min(align, llvm::Align(abi::groupBlockAlign)));
    place(*variable, offset, align);
    out.bytes = offset + reserve(align) + layout.getTypeAllocSize(variable->getValueType()).getFixedValue();
  }
  out.dynamic = !dynamic.empty();
  // Every variable of dynamic size names the same bytes, as in CUDA.
  const std::uint64_t end = llvm::alignTo(out.bytes, abi::groupBlockAlign);
  for (llvm::GlobalVariable* variable : dynamic) place(*variable, end, dynamicAlign);
  if (out.dynamic) out.bytes = std::max(out.bytes, reserve(dynamicAlign) == 0 ? 0 : end + reserve(dynamicAlign));
  SpaceRemover(function, groupSpace).run();
  return out;
}

}  // namespace lathe::detail
