// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `ld` and `st` with `.L2::cache_hint` (PTX ISA 9.0, sections 9.7.9.8 and 9.7.9.11), which LLVM 22 does not select.
#include "targets/cuda/cache_policies.h"

#include <optional>
#include <string>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include "targets/cuda/addresses/accesses.h"
#include "targets/cuda/registers.h"

namespace lathe::targets {
namespace {

/// In lathe/cuda/intrinsics.h.
constexpr llvm::StringLiteral mark = "// cache policy";

const llvm::CallInst* markOf(const llvm::Value* value) {
  const auto* const call = llvm::dyn_cast<llvm::CallInst>(value);
  const auto* const text = call ? llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand()) : nullptr;
  return text && text->getAsmString().contains(mark) ? call : nullptr;
}

/// The mark that `address` comes from by whatever way.
const llvm::CallInst* markBehind(const llvm::Value* address) {
  llvm::SmallVector<const llvm::Value*, 4> objects;
  llvm::getUnderlyingObjects(address, objects);
  return objects.size() == 1 ? markOf(objects.front()) : nullptr;
}

/// What an access moves: registers of `type`, one or several.
struct Moved {
  llvm::Type* type;
  unsigned count = 1;
};

std::optional<Moved> movedBy(llvm::Type* type) {
  unsigned count = 1;
  llvm::Type* part = type;
  if (const auto* const vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
    count = vector->getNumElements();
    part = vector->getElementType();
  }
  constexpr unsigned bitsOfAddress = 64;
  const auto bits =
      part->isPointerTy() ? bitsOfAddress : static_cast<unsigned>(part->getPrimitiveSizeInBits().getFixedValue());
  if (!llvm::is_contained({16U, 32U, 64U}, bits) || !llvm::is_contained({1U, 2U, 4U}, count) || bits * count > 128)
    return std::nullopt;
  return Moved{llvm::Type::getIntNTy(type->getContext(), bits), count};
}

/// "$0", or "{$0, $1}".
std::string registers(unsigned first, unsigned count) {
  std::string out;
  for (unsigned i = 0; i < count; ++i) out += (i ? ", $" : "$") + std::to_string(first + i);
  return count == 1 ? out : "{" + out + "}";
}

std::string suffix(const Moved& moved) {
  const std::string vector = moved.count == 1 ? "" : ".v" + std::to_string(moved.count);
  return ".global.L2::cache_hint" + vector + ".b" + std::to_string(moved.type->getIntegerBitWidth()) + " ";
}

std::string repeated(const std::string& text, unsigned times) {
  std::string out;
  for (unsigned i = 0; i < times; ++i) out += (i ? "," : "") + text;
  return out;
}

void replace(llvm::LoadInst& load, const Moved& moved, llvm::Value* policy) {
  llvm::IRBuilder<> builder(&load);
  llvm::Type* const result =
      moved.count == 1
          ? moved.type
          : llvm::StructType::get(load.getContext(), llvm::SmallVector<llvm::Type*>(moved.count, moved.type));
  const std::string text = "ld" + suffix(moved) + registers(0, moved.count) + ", [$" + std::to_string(moved.count) +
                           "], $" + std::to_string(moved.count + 1) + ";";
  llvm::Value* const address = load.getPointerOperand();
  auto* const type = llvm::FunctionType::get(result, {address->getType(), policy->getType()}, /*isVarArg=*/false);
  llvm::Value* value = builder.CreateCall(
      llvm::InlineAsm::get(type, text, repeated(std::string("=") + registerOf(moved.type), moved.count) + ",l,l",
                           /*hasSideEffects=*/true),
      {address, policy});
  if (moved.count > 1) {
    llvm::Value* whole = llvm::PoisonValue::get(llvm::FixedVectorType::get(moved.type, moved.count));
    for (unsigned i = 0; i < moved.count; ++i)
      whole = builder.CreateInsertElement(whole, builder.CreateExtractValue(value, i), i);
    value = whole;
  }
  load.replaceAllUsesWith(builder.CreateBitOrPointerCast(value, load.getType()));
  load.eraseFromParent();
}

void replace(llvm::StoreInst& store, const Moved& moved, llvm::Value* policy) {
  llvm::IRBuilder<> builder(&store);
  llvm::Value* stored = store.getValueOperand();
  llvm::Type* const passed = moved.count == 1 ? moved.type : llvm::FixedVectorType::get(moved.type, moved.count);
  stored = builder.CreateBitOrPointerCast(stored, passed);
  llvm::SmallVector<llvm::Value*, 6> operands = {store.getPointerOperand()};
  for (unsigned i = 0; i < moved.count; ++i)
    operands.push_back(moved.count == 1 ? stored : builder.CreateExtractElement(stored, i));
  operands.push_back(policy);
  llvm::SmallVector<llvm::Type*, 6> types;
  for (llvm::Value* operand : operands) types.push_back(operand->getType());
  const std::string text =
      "st" + suffix(moved) + "[$0], " + registers(1, moved.count) + ", $" + std::to_string(moved.count + 1) + ";";
  builder.CreateCall(llvm::InlineAsm::get(llvm::FunctionType::get(builder.getVoidTy(), types, /*isVarArg=*/false), text,
                                          "l," + repeated(registerOf(moved.type), moved.count) + ",l",
                                          /*hasSideEffects=*/true),
                     operands);
  store.eraseFromParent();
}

template <class Access>
void hint(Access& access, llvm::Type* type) {
  const llvm::CallInst* const marked = access.isSimple() ? markBehind(access.getPointerOperand()) : nullptr;
  const std::optional<Moved> moved = marked ? movedBy(type) : std::nullopt;
  const llvm::DataLayout& layout = access.getDataLayout();
  // A vector is moved whole where it is aligned; elsewhere it would be taken apart.
  if (!moved || access.getAlign().value() < layout.getTypeStoreSize(type).getFixedValue()) return;
  replace(access, *moved, marked->getArgOperand(1));
}

}  // namespace

void applyCachePolicies(llvm::Module& module, llvm::TargetMachine& machine) {
  llvm::SmallVector<llvm::CallInst*, 8> marks;
  llvm::SetVector<llvm::Function*> functions;
  for (llvm::Function& function : module) {
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      if (!markOf(&instruction)) continue;
      marks.push_back(llvm::cast<llvm::CallInst>(&instruction));
      functions.insert(&function);
    }
  }
  mergeAccessesOf(functions.getArrayRef(), machine);
  for (llvm::Function* function : functions) {
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(*function))) {
      if (auto* const load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
        hint(*load, load->getType());
      else if (auto* const store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
        hint(*store, store->getValueOperand()->getType());
    }
  }
  for (llvm::CallInst* marked : marks) {
    llvm::IRBuilder<> builder(marked);
    marked->replaceAllUsesWith(builder.CreateAddrSpaceCast(marked->getArgOperand(0), marked->getType()));
    marked->eraseFromParent();
  }
}

}  // namespace lathe::targets
