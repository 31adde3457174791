// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integers of widths that no device has. The optimiser makes them, i33 for the closed form of a sum, say, and i128
// comes from a 64-bit product's upper half. Each value gets a twin of the next usual width, whose upper bits are
// arbitrary until an operation depends on them.
//
//   before: %n = zext i32 %x to i33    %p = mul i33 %n, 3    %h = lshr i33 %p, 1
//   after:  %n = zext i32 %x to i64    %p = mul i64 %n, 3    %m = and i64 %p, 8589934591    %h = lshr i64 %m, 1
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

#include "core/lower/legalize/legalize.h"

namespace lathe::detail {
namespace {

using llvm::Instruction;
using llvm::Value;

bool isOdd(const llvm::Type* type) {
  if (!type->isIntegerTy()) return false;
  const unsigned width = type->getIntegerBitWidth();
  return width < 64 && width != 1 && width != 8 && width != 16 && width != 32;
}

class Widener {
 public:
  explicit Widener(llvm::Function& function) : function_(function) {}

  void run() {
    std::vector<Instruction*> touched;
    llvm::ReversePostOrderTraversal<llvm::Function*> order(&function_);
    for (llvm::BasicBlock* block : order) {
      for (Instruction& instruction : *block) {
        if (isOdd(instruction.getType()) ||
            llvm::any_of(instruction.operands(), [](const llvm::Use& use) { return isOdd(use->getType()); }))
          touched.push_back(&instruction);
      }
    }
    for (Instruction* instruction : touched) {
      widen(*instruction);
      if (replaced_.empty() || replaced_.back() != instruction) keep(*instruction);
    }
    for (const auto& [old, made] : phis_) {
      for (unsigned i = 0; i < old->getNumIncomingValues(); ++i) {
        llvm::BasicBlock* const from = old->getIncomingBlock(i);
        // A switch may lead here by several edges, all with one value.
        const bool isKnown = made->getBasicBlockIndex(from) >= 0;
        made->addIncoming(
            isKnown ? made->getIncomingValueForBlock(from) : wide(old->getIncomingValue(i), *from->getTerminator()),
            from);
      }
    }
    for (Instruction* instruction : llvm::reverse(replaced_)) {
      if (!instruction->use_empty()) instruction->replaceAllUsesWith(llvm::PoisonValue::get(instruction->getType()));
      instruction->eraseFromParent();
    }
  }

 private:
  static llvm::Type* wideType(llvm::Type* type) {
    return isOdd(type) ? llvm::Type::getIntNTy(
                             type->getContext(),
                             std::max(8U, static_cast<unsigned>(llvm::PowerOf2Ceil(type->getIntegerBitWidth()))))
                       : type;
  }

  /// The twin of `value`; upper bits arbitrary.
  Value* wide(Value* value, Instruction& at) {
    if (!isOdd(value->getType())) return value;
    if (const auto found = twins_.find(value); found != twins_.end()) return found->second;
    llvm::Type* const type = wideType(value->getType());
    if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(value))
      return llvm::ConstantInt::get(type, number->getValue().zext(type->getIntegerBitWidth()));
    if (llvm::isa<llvm::PoisonValue>(value)) return llvm::PoisonValue::get(type);
    if (llvm::isa<llvm::UndefValue>(value)) return llvm::UndefValue::get(type);
    return llvm::IRBuilder<>(&at).CreateZExt(value, type);  // a parameter or a constant expression: left as it is
  }
  Value* zeroExtended(llvm::IRBuilder<>& b, Value* value, Instruction& at) {
    Value* const twin = wide(value, at);
    if (twin == value) return value;
    const unsigned width = value->getType()->getIntegerBitWidth();
    return b.CreateAnd(twin, llvm::APInt::getLowBitsSet(twin->getType()->getIntegerBitWidth(), width));
  }
  Value* signExtended(llvm::IRBuilder<>& b, Value* value, Instruction& at) {
    Value* const twin = wide(value, at);
    if (twin == value) return value;
    const unsigned unused = twin->getType()->getIntegerBitWidth() - value->getType()->getIntegerBitWidth();
    return b.CreateAShr(b.CreateShl(twin, unused), unused);
  }

  /// An instruction that stays: it gets its operands in their own width, and validation sees them.
  void keep(Instruction& old) {
    for (llvm::Use& operand : old.operands()) {
      const auto found = twins_.find(operand.get());
      if (found != twins_.end()) operand.set(llvm::IRBuilder<>(&old).CreateTrunc(found->second, operand->getType()));
    }
  }

  void become(Instruction& old, Value* made) {
    if (isOdd(old.getType()))
      twins_[&old] = made;
    else
      old.replaceAllUsesWith(made);
    replaced_.push_back(&old);
  }

  void widen(Instruction& old) {
    llvm::IRBuilder<> b(&old);
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&old)) {
      llvm::PHINode* const made = b.CreatePHI(wideType(phi->getType()), phi->getNumIncomingValues());
      phis_.emplace_back(phi, made);
      return become(old, made);
    }
    if (auto* cast = llvm::dyn_cast<llvm::CastInst>(&old)) return widenCast(b, *cast);
    if (auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&old)) return widenOperation(b, *operation);
    if (auto* compare = llvm::dyn_cast<llvm::ICmpInst>(&old)) {
      const auto extended = [&](unsigned i) {
        return compare->isSigned() ? signExtended(b, old.getOperand(i), old) : zeroExtended(b, old.getOperand(i), old);
      };
      Value* const x = extended(0);
      return become(old, b.CreateICmp(compare->getPredicate(), x, extended(1)));
    }
    if (auto* choice = llvm::dyn_cast<llvm::SelectInst>(&old)) {
      Value* const yes = wide(choice->getTrueValue(), old);
      return become(old, b.CreateSelect(choice->getCondition(), yes, wide(choice->getFalseValue(), old)));
    }
    if (llvm::isa<llvm::FreezeInst>(old)) return become(old, b.CreateFreeze(wide(old.getOperand(0), old)));
    if (auto* branch = llvm::dyn_cast<llvm::SwitchInst>(&old)) return widenSwitch(b, *branch);
    if (auto* extreme = llvm::dyn_cast<llvm::MinMaxIntrinsic>(&old)) {
      const auto extended = [&](Value* value) {
        return extreme->isSigned() ? signExtended(b, value, old) : zeroExtended(b, value, old);
      };
      Value* const x = extended(extreme->getLHS());
      return become(old, b.CreateBinaryIntrinsic(extreme->getIntrinsicID(), x, extended(extreme->getRHS())));
    }
    // Anything else, loads and stores of such a width among it, is left to validation.
  }

  void widenCast(llvm::IRBuilder<>& b, llvm::CastInst& old) {
    Value* const from = old.getOperand(0);
    llvm::Type* const to = wideType(old.getType());
    switch (old.getOpcode()) {
      case Instruction::Trunc:
        return become(old, b.CreateZExtOrTrunc(wide(from, old), to));
      case Instruction::ZExt:
        return become(old, b.CreateZExtOrTrunc(zeroExtended(b, from, old), to));
      case Instruction::SExt:
        return become(old, b.CreateSExtOrTrunc(signExtended(b, from, old), to));
      case Instruction::UIToFP:
        return become(old, b.CreateUIToFP(zeroExtended(b, from, old), to));
      case Instruction::SIToFP:
        return become(old, b.CreateSIToFP(signExtended(b, from, old), to));
      case Instruction::FPToUI:
        return become(old, b.CreateFPToUI(from, to));
      case Instruction::FPToSI:
        return become(old, b.CreateFPToSI(from, to));
      case Instruction::PtrToInt:
        return become(old, b.CreatePtrToInt(from, to));
      case Instruction::IntToPtr:
        return become(old, b.CreateIntToPtr(zeroExtended(b, from, old), to));
      default:
        return;
    }
  }

  void widenOperation(llvm::IRBuilder<>& b, llvm::BinaryOperator& old) {
    Value* x = old.getOperand(0);
    Value* y = old.getOperand(1);
    switch (old.getOpcode()) {
      case Instruction::UDiv:
      case Instruction::URem:
      case Instruction::LShr:
        x = zeroExtended(b, x, old);
        y = zeroExtended(b, y, old);
        break;
      case Instruction::SDiv:
      case Instruction::SRem:
        x = signExtended(b, x, old);
        y = signExtended(b, y, old);
        break;
      case Instruction::AShr:
        x = signExtended(b, x, old);
        y = zeroExtended(b, y, old);
        break;
      case Instruction::Shl:
        x = wide(x, old);
        y = zeroExtended(b, y, old);
        break;
      default:  // add, sub, mul, and, or, xor: lower bits depend on lower bits alone
        x = wide(x, old);
        y = wide(y, old);
    }
    become(old, b.CreateBinOp(old.getOpcode(), x, y));
  }

  void widenSwitch(llvm::IRBuilder<>& b, llvm::SwitchInst& old) {
    Value* const value = zeroExtended(b, old.getCondition(), old);
    llvm::SwitchInst* const made = b.CreateSwitch(value, old.getDefaultDest(), old.getNumCases());
    for (const auto& branch : old.cases()) {
      const llvm::APInt number = branch.getCaseValue()->getValue().zext(value->getType()->getIntegerBitWidth());
      made->addCase(llvm::ConstantInt::get(b.getContext(), number), branch.getCaseSuccessor());
    }
    replaced_.push_back(&old);
  }

  llvm::Function& function_;
  llvm::DenseMap<Value*, Value*> twins_;
  std::vector<std::pair<llvm::PHINode*, llvm::PHINode*>> phis_;
  std::vector<Instruction*> replaced_;
};

}  // namespace

void widenIntegers(llvm::Function& function) {
  Widener(function).run();
}

}  // namespace lathe::detail
