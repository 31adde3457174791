// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Portable IR's generic pointers live in address space 0. Where a target's do not, every type that mentions one
// changes, and with it signatures, attributes, overloaded intrinsics, initialisers and metadata. LLVM's value mapper
// changes the values in place; this file makes the functions and variables it maps to.
//
//   before: define void @f(ptr %p) { … %q = getelementptr i8, ptr %p, i64 4 … store ptr @table, ptr %p
//   after:  define void @f(ptr addrspace(4) %p) { … %q = getelementptr i8, ptr addrspace(4) %p, i64 4 …
//           store ptr addrspace(4) addrspacecast (ptr addrspace(1) @table to ptr addrspace(4)), ptr addrspace(4) %p
#include "core/lower/stages/generic_space.h"

#include <utility>
#include <vector>

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

#include "core/lower/legalize/changed_types.h"
#include "core/lower/lowering.h"
#include "core/support/llvm_bridge.h"

namespace lathe::detail {
namespace {

/// The attribute of a read-only variable for which there is no room in constant memory.
constexpr const char* isGlobal = "lathe-in-global-memory";

class SpaceTypes final : public ChangedTypes {
 public:
  explicit SpaceTypes(const AddressSpaces& spaces) : spaces_(spaces) {}

 private:
  llvm::Type* changed(llvm::Type* type) override {
    const auto* const pointer = llvm::dyn_cast<llvm::PointerType>(type);
    if (!pointer) return type;
    const unsigned space = pointer->getAddressSpace();
    if (space == 0) return llvm::PointerType::get(type->getContext(), spaces_.generic);
    return space == portableGroupSpace ? llvm::PointerType::get(type->getContext(), spaces_.group) : type;
  }

  llvm::Type* changed(llvm::StructType& before, llvm::ArrayRef<llvm::Type*> elements) override {
    return withName(before, elements);
  }

  const AddressSpaces& spaces_;
};

/// Rebuilds a module's functions and variables with other types.
class Mover {
 public:
  Mover(llvm::Module& module, const AddressSpaces& spaces) : module_(module), spaces_(spaces), types_(spaces) {}

  llvm::Error run() {
    for (llvm::Function& function : llvm::make_early_inc_range(module_)) {
      // Left over from a branch for another target, it may have no other form.
      if (function.isIntrinsic() && function.use_empty()) function.eraseFromParent();
    }
    std::vector<std::pair<llvm::GlobalVariable*, llvm::GlobalVariable*>> variables;
    for (llvm::GlobalVariable& variable : llvm::make_early_inc_range(module_.globals()))
      variables.emplace_back(&variable, &declare(variable));
    std::vector<std::pair<llvm::Function*, llvm::Function*>> functions;
    for (llvm::Function& function : llvm::make_early_inc_range(module_)) {
      llvm::Function* const declared = function.isIntrinsic() ? redeclared(function) : &declare(function);
      if (!declared) {
        return toLlvm({.code = ErrorCode::Internal,
                       .message = function.getName().str() + " has no form with pointers of another address space",
                       .stage = "retarget"});
      }
      functions.emplace_back(&function, declared);
    }
    for (const auto& [old, made] : variables) {
      if (old->hasInitializer()) made->setInitializer(mapped(old->getInitializer()));
    }
    for (const auto& [old, made] : functions) {
      if (old == made || old->isDeclaration()) continue;
      fill(*old, *made);
    }
    for (const auto& [old, made] : functions) {
      made->removeDeadConstantUsers();  // casts of functions that are only called
      if (old != made) erase(*old);
    }
    for (const auto& [old, made] : variables) {
      made->removeDeadConstantUsers();
      erase(*old);
    }
    return llvm::Error::success();
  }

 private:
  // Distinct metadata is the module's skeleton of debug information: changed in place, never copied.
  const llvm::RemapFlags flags_ = llvm::RF_IgnoreMissingLocals | llvm::RF_ReuseAndMutateDistinctMDs;

  llvm::Constant* mapped(llvm::Constant* constant) { return llvm::MapValue(constant, values_, flags_, &types_); }

  llvm::GlobalVariable& declare(llvm::GlobalVariable& old) {
    llvm::GlobalVariable& made = types_.remade(old, spaceOf(old, spaces_));
    values_[&old] = seenAs(made, types_.remapType(old.getType()));
    return made;
  }

  llvm::Function& declare(llvm::Function& old) {
    auto* const type = llvm::cast<llvm::FunctionType>(types_.remapType(old.getFunctionType()));
    const unsigned space = module_.getDataLayout().getProgramAddressSpace();
    auto* const made = llvm::Function::Create(type, old.getLinkage(), space, "");
    module_.getFunctionList().insert(old.getIterator(), made);
    made->copyAttributesFrom(&old);
    made->setComdat(old.getComdat());
    made->setAttributes(types_.remapped(module_.getContext(), old.getAttributes(), type->getNumParams()));
    made->takeName(&old);
    for (llvm::Argument& argument : old.args()) values_[&argument] = made->getArg(argument.getArgNo());
    values_[&old] = seenAs(*made, types_.remapType(old.getType()));
    return *made;
  }

  llvm::Function* redeclared(llvm::Function& old) {
    llvm::Function* const made = types_.redeclared(old);
    if (made && made != &old) values_[&old] = made;
    return made;
  }

  static llvm::Constant* seenAs(llvm::Constant& value, llvm::Type* type) {
    return llvm::ConstantExpr::getPointerBitCastOrAddrSpaceCast(&value, type);
  }

  void fill(llvm::Function& old, llvm::Function& made) {
    for (llvm::Argument& argument : old.args()) made.getArg(argument.getArgNo())->takeName(&argument);
    made.copyMetadata(&old, 0);
    old.clearMetadata();
    made.splice(made.begin(), &old);
    llvm::RemapFunction(made, values_, flags_, &types_);
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(made))) {
      if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
        // A direct call names the function itself, whatever space its address is seen in.
        auto* const callee = llvm::dyn_cast<llvm::Function>(call->getCalledOperand()->stripPointerCasts());
        if (callee && callee->getFunctionType() == call->getFunctionType()) call->setCalledOperand(callee);
      } else if (instruction.getOpcode() == llvm::Instruction::AddrSpaceCast &&
                 instruction.getType() == instruction.getOperand(0)->getType()) {
        instruction.replaceAllUsesWith(instruction.getOperand(0));
        instruction.eraseFromParent();
      }
    }
  }

  static void erase(llvm::GlobalObject& old) {
    old.removeDeadConstantUsers();
    if (!old.use_empty()) old.replaceAllUsesWith(llvm::PoisonValue::get(old.getType()));
    old.eraseFromParent();
  }

  llvm::Module& module_;
  const AddressSpaces& spaces_;
  SpaceTypes types_;
  llvm::ValueToValueMapTy values_;
};

llvm::Error refuseLabelAddresses(const llvm::Module& module) {
  for (const llvm::Function& function : module) {
    for (const llvm::BasicBlock& block : function) {
      if (!block.hasAddressTaken()) continue;
      return toLlvm({.code = ErrorCode::Unsupported,
                     .message = "'" + demangled(function.getName()) + "' takes the address of a label",
                     .hint = "use a switch",
                     .stage = "retarget",
                     .location = locationOf(block.front())});
    }
  }
  return llvm::Error::success();
}

void resolveAliases(llvm::Module& module) {
  for (llvm::GlobalAlias& alias : llvm::make_early_inc_range(module.aliases())) {
    alias.replaceAllUsesWith(alias.getAliasee());
    alias.eraseFromParent();
  }
}

}  // namespace

void keepConstantsWithin(llvm::Module& module, std::uint64_t bytes) {
  // For the texts that later stages add.
  constexpr std::uint64_t kept = 4096;
  std::uint64_t used = kept;
  std::vector<std::pair<std::uint64_t, llvm::GlobalVariable*>> movable;
  for (llvm::GlobalVariable& variable : module.globals()) {
    if (variable.getAddressSpace() == portableGroupSpace || variable.isDeclaration()) continue;
    const std::uint64_t size = module.getDataLayout().getTypeAllocSize(variable.getValueType()).getFixedValue();
    if (variable.hasAttribute(attribute::constant))
      used += size;
    else if (variable.isConstant())
      movable.emplace_back(size, &variable);
  }
  llvm::stable_sort(movable, llvm::less_first());
  for (const auto& [size, variable] : movable) {
    used += llvm::alignTo(size, 16);
    if (used > bytes) variable->addAttribute(isGlobal);
  }
}

unsigned spaceOf(const llvm::GlobalVariable& variable, const AddressSpaces& spaces) {
  if (variable.getAddressSpace() == portableGroupSpace) return spaces.group;
  if (variable.hasAttribute(isGlobal)) return spaces.global;
  return variable.hasAttribute(attribute::constant) || variable.isConstant() ? spaces.constant : spaces.global;
}

llvm::Error moveGenericPointers(llvm::Module& module, const AddressSpaces& spaces) {
  if (auto error = refuseLabelAddresses(module)) return error;
  resolveAliases(module);
  return Mover(module, spaces).run();
}

}  // namespace lathe::detail
