// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bfloat16 for formats that have no such type: integers of 16 bits with the same bits, wherever a value is kept, passed
// or chosen. Conversions and arithmetic were made computations on bits and floats before (narrow_floats.cpp). LLVM's
// value mapper changes the instructions in place; functions and variables of other types are made anew.
//
//   before: define void @k(ptr %p, bfloat %x) … %v = load bfloat, ptr %p … %s = select i1 %c, bfloat %v, bfloat %x
//   after:  define void @k(ptr %p, i16 %x)    … %v = load i16, ptr %p    … %s = select i1 %c, i16 %v, i16 %x
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

#include "core/lower/legalize/changed_types.h"
#include "core/lower/legalize/legalize.h"

namespace lathe::detail {
namespace {

/// True for intrinsics that load, store or move lanes of any type alike, which the vectoriser makes.
bool onlyMoves(llvm::Intrinsic::ID id) {
  switch (id) {
    case llvm::Intrinsic::masked_load:
    case llvm::Intrinsic::masked_store:
    case llvm::Intrinsic::masked_gather:
    case llvm::Intrinsic::masked_scatter:
    case llvm::Intrinsic::masked_expandload:
    case llvm::Intrinsic::masked_compressstore:
    case llvm::Intrinsic::vector_insert:
    case llvm::Intrinsic::vector_extract:
    case llvm::Intrinsic::vector_reverse:
    case llvm::Intrinsic::vector_interleave2:
    case llvm::Intrinsic::vector_deinterleave2:
    case llvm::Intrinsic::vector_interleave3:
    case llvm::Intrinsic::vector_deinterleave3:
    case llvm::Intrinsic::vector_interleave4:
    case llvm::Intrinsic::vector_deinterleave4:
    case llvm::Intrinsic::vector_interleave5:
    case llvm::Intrinsic::vector_deinterleave5:
    case llvm::Intrinsic::vector_interleave6:
    case llvm::Intrinsic::vector_deinterleave6:
    case llvm::Intrinsic::vector_interleave7:
    case llvm::Intrinsic::vector_deinterleave7:
    case llvm::Intrinsic::vector_interleave8:
    case llvm::Intrinsic::vector_deinterleave8:
    case llvm::Intrinsic::vector_splice_left:
    case llvm::Intrinsic::vector_splice_right:
    case llvm::Intrinsic::experimental_vector_compress:
    case llvm::Intrinsic::ssa_copy:
    case llvm::Intrinsic::fake_use:
      return true;
    default:
      return false;
  }
}

class BitTypes final : public ChangedTypes {
 private:
  using ChangedTypes::changed;
  llvm::Type* changed(llvm::Type* type) override {
    return type->isBFloatTy() ? llvm::Type::getInt16Ty(type->getContext()) : type;
  }
};

class Rewriter {
 public:
  explicit Rewriter(llvm::Module& module) : module_(module) {}

  void run() {
    for (llvm::GlobalVariable& variable : llvm::make_early_inc_range(module_.globals())) rebuild(variable);
    for (llvm::Function& function : llvm::make_early_inc_range(module_)) rebuild(function);
    for (llvm::Function& function : module_) {
      if (!function.isDeclaration()) rewrite(function);
    }
    for (llvm::Function& function : llvm::make_early_inc_range(module_)) {
      if (function.isIntrinsic() && function.use_empty() && types_.changes(function.getFunctionType()))
        function.eraseFromParent();
    }
  }

 private:
  const llvm::RemapFlags flags_ = llvm::RF_IgnoreMissingLocals | llvm::RF_NoModuleLevelChanges;

  /// Tells the mapper what it has no words for: numbers become their bits.
  void know(llvm::Constant& constant) {
    if (values_.count(&constant) != 0 || llvm::isa<llvm::GlobalValue>(constant)) return;
    if (const auto* number = llvm::dyn_cast<llvm::ConstantFP>(&constant)) {
      if (number->getType()->getScalarType()->isBFloatTy())
        values_[&constant] =
            llvm::ConstantInt::get(types_.remapType(number->getType()), number->getValueAPF().bitcastToAPInt());
      return;
    }
    if (const auto* data = llvm::dyn_cast<llvm::ConstantDataSequential>(&constant)) {
      if (!data->getElementType()->isBFloatTy()) return;
      llvm::SmallVector<std::uint16_t> bits;
      for (unsigned i = 0; i < data->getNumElements(); ++i)
        bits.push_back(static_cast<std::uint16_t>(data->getElementAsAPFloat(i).bitcastToAPInt().getZExtValue()));
      values_[&constant] = llvm::isa<llvm::VectorType>(data->getType())
                               ? llvm::ConstantDataVector::get(module_.getContext(), bits)
                               : llvm::ConstantDataArray::get(module_.getContext(), bits);
      return;
    }
    for (const llvm::Use& operand : constant.operands())
      if (auto* inner = llvm::dyn_cast<llvm::Constant>(operand.get())) know(*inner);
  }

  void rebuild(llvm::GlobalVariable& old) {
    if (!types_.changes(old.getValueType())) return;
    llvm::GlobalVariable& made = types_.remade(old, old.getAddressSpace());
    if (old.hasInitializer()) {
      know(*old.getInitializer());
      made.setInitializer(llvm::MapValue(old.getInitializer(), values_, flags_, &types_));
    }
    old.replaceAllUsesWith(&made);
    old.eraseFromParent();
  }

  void rebuild(llvm::Function& old) {
    old.setAttributes(
        types_.remapped(module_.getContext(), old.getAttributes(), static_cast<unsigned>(old.arg_size())));
    if (!types_.changes(old.getFunctionType())) return;
    if (old.isIntrinsic()) {
      if (llvm::Function* const other = types_.redeclared(old)) values_[&old] = other;
      return;
    }
    auto* const type = llvm::cast<llvm::FunctionType>(types_.remapType(old.getFunctionType()));
    auto* const made = llvm::Function::Create(type, old.getLinkage(), old.getAddressSpace(), "");
    module_.getFunctionList().insert(old.getIterator(), made);
    made->copyAttributesFrom(&old);
    made->copyMetadata(&old, 0);
    made->setComdat(old.getComdat());
    made->takeName(&old);
    made->splice(made->end(), &old);
    for (llvm::Argument& argument : old.args()) {
      llvm::Argument* const other = made->getArg(argument.getArgNo());
      argument.mutateType(other->getType());
      other->takeName(&argument);
      argument.replaceAllUsesWith(other);
    }
    old.replaceAllUsesWith(made);
    old.eraseFromParent();
  }

  void rewrite(llvm::Function& function) {
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      for (const llvm::Use& operand : instruction.operands())
        if (auto* constant = llvm::dyn_cast<llvm::Constant>(operand.get())) know(*constant);
      // Flags of choices between numbers, which integers have not.
      if (llvm::isa<llvm::FPMathOperator>(instruction) && types_.changes(instruction.getType()))
        instruction.copyFastMathFlags(llvm::FastMathFlags());
    }
    llvm::RemapFunction(function, values_, flags_, &types_);
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      const auto* const cast = llvm::dyn_cast<llvm::BitCastInst>(&instruction);
      if (!cast || cast->getSrcTy() != cast->getDestTy()) continue;
      instruction.replaceAllUsesWith(instruction.getOperand(0));
      instruction.eraseFromParent();
    }
  }

  llvm::Module& module_;
  BitTypes types_;
  llvm::ValueToValueMapTy values_;
};

bool isBfloat(const llvm::Type* type) {
  return type->getScalarType()->isBFloatTy();
}

/// True for instructions that compute with numbers, which have no form with their bits.
bool computes(const llvm::Instruction& instruction) {
  const bool touches =
      isBfloat(instruction.getType()) ||
      llvm::any_of(instruction.operands(), [](const llvm::Use& use) { return isBfloat(use->getType()); });
  if (!touches) return false;
  if (instruction.isBinaryOp() || instruction.isUnaryOp() || llvm::isa<llvm::FCmpInst>(instruction)) return true;
  if (llvm::isa<llvm::CastInst>(instruction)) return !llvm::isa<llvm::BitCastInst>(instruction);
  if (const auto* atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) return atomic->isFloatingPointOperation();
  const auto* const call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  return call && !onlyMoves(call->getIntrinsicID());
}

}  // namespace

void keepBfloatsAsBits(llvm::Module& module, bool passesInC) {
  for (const llvm::Function& function : module) {
    if (llvm::any_of(llvm::instructions(function), computes)) return;  // validate says where, if the target forbids it
    const bool isSeen = passesInC && !function.hasLocalLinkage() && !function.isIntrinsic();
    if (isSeen && BitTypes().changes(function.getFunctionType())) return;
  }
  Rewriter(module).run();
}

}  // namespace lathe::detail
