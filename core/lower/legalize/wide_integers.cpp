// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integers of 65 to 128 bits as two of 64. The optimiser makes i65 for the closed form of a 64-bit sum; i128 comes from
// a 64-bit product's upper half and from programs. The upper word's bits beyond the width are arbitrary until an
// operation depends on them.
//
//   before: %p = mul i65 %x, %y         %h = lshr i65 %p, 1            %r = trunc i65 %h to i64
//   after:  %lo, %hi of the product     %r = or (shl %hi, 63), (lshr %lo, 1)
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/InstSimplifyFolder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/IntegerDivision.h"

#include "core/lower/legalize/legalize.h"

namespace lathe::detail {
namespace {

using llvm::Instruction;
using llvm::Value;

unsigned widthOf(const Value* value) {
  return value->getType()->getIntegerBitWidth();
}
bool touchesWide(const Instruction& instruction) {
  return isWideInteger(instruction.getType()) ||
         llvm::any_of(instruction.operands(), [](const llvm::Use& use) { return isWideInteger(use->getType()); });
}

struct Words {
  Value* low = nullptr;
  Value* high = nullptr;
};

class WideSplitter {
 public:
  explicit WideSplitter(llvm::Function& function)
      : function_(function),
        b_(function.getContext(), llvm::InstSimplifyFolder(function.getDataLayout())),
        word_(llvm::Type::getInt64Ty(function.getContext())) {}

  void run() {
    expandDivisions();
    std::vector<Instruction*> touched;
    llvm::ReversePostOrderTraversal<llvm::Function*> order(&function_);
    for (llvm::BasicBlock* block : order) {
      for (Instruction& instruction : *block) {
        if (touchesWide(instruction)) touched.push_back(&instruction);
      }
    }
    for (Instruction* instruction : touched) {
      b_.SetInsertPoint(instruction);
      split(*instruction);
      if (replaced_.empty() || replaced_.back() != instruction) keep(*instruction);
    }
    for (const auto& [old, made] : phis_) {
      auto& low = llvm::cast<llvm::PHINode>(*made.low);
      auto& high = llvm::cast<llvm::PHINode>(*made.high);
      for (unsigned i = 0; i < old->getNumIncomingValues(); ++i) {
        llvm::BasicBlock* const from = old->getIncomingBlock(i);
        const auto first = static_cast<unsigned>(old->getBasicBlockIndex(from));
        b_.SetInsertPoint(from->getTerminator());
        // A switch may lead here by several edges, all with one value.
        const Words words = first == i ? wordsOf(old->getIncomingValue(i))
                                       : Words{low.getIncomingValue(first), high.getIncomingValue(first)};
        low.setIncomingValue(i, words.low);
        high.setIncomingValue(i, words.high);
      }
    }
    if (unknown_) unknown_->eraseFromParent();
    for (Instruction* instruction : llvm::reverse(replaced_)) {
      if (!instruction->use_empty()) instruction->replaceAllUsesWith(llvm::PoisonValue::get(instruction->getType()));
      instruction->eraseFromParent();
    }
  }

 private:
  /// LLVM's long division, in operations that are split below.
  void expandDivisions() {
    llvm::SmallVector<llvm::BinaryOperator*> found;
    for (Instruction& instruction : llvm::instructions(function_)) {
      auto* const operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction);
      if (operation && isWideInteger(operation->getType()) && operation->isIntDivRem()) found.push_back(operation);
    }
    for (llvm::BinaryOperator* operation : found) {
      const auto code = operation->getOpcode();
      if (code == Instruction::UDiv || code == Instruction::SDiv)
        llvm::expandDivision(operation);
      else
        llvm::expandRemainder(operation);
    }
  }

  Words wordsOf(Value* value) {
    if (const auto found = words_.find(value); found != words_.end()) return found->second;
    if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(value)) {
      const llvm::APInt all = number->getValue().zext(128);
      return {b_.getInt(all.trunc(64)), b_.getInt(all.lshr(64).trunc(64))};
    }
    llvm::Constant* const none = llvm::isa<llvm::PoisonValue>(value)  ? llvm::PoisonValue::get(word_)
                                 : llvm::isa<llvm::UndefValue>(value) ? llvm::UndefValue::get(word_)
                                                                      : nullptr;
    if (none) return {none, none};
    // A parameter, or what an instruction made that is left as it is.
    Value* const high = b_.CreateLShr(value, 64);
    return {b_.CreateTrunc(value, word_), b_.CreateTrunc(high, word_)};
  }
  Value* zeroExtendedHigh(Value* value) {
    const unsigned used = widthOf(value) - 64;
    return b_.CreateAnd(wordsOf(value).high, b_.getInt(llvm::APInt::getLowBitsSet(64, used)));
  }
  Value* signExtendedHigh(Value* value) {
    const unsigned unused = 128 - widthOf(value);
    return b_.CreateAShr(b_.CreateShl(wordsOf(value).high, unused), unused);
  }

  /// An instruction that stays: it gets its operands back in one piece, and validation sees them.
  void keep(Instruction& old) {
    llvm::IRBuilder<> plain(&old);
    llvm::Type* const whole = plain.getInt128Ty();
    for (llvm::Use& operand : old.operands()) {
      const auto found = words_.find(operand.get());
      if (found == words_.end()) continue;
      Value* const high = plain.CreateShl(plain.CreateZExt(found->second.high, whole), 64);
      Value* const both = plain.CreateOr(plain.CreateZExt(found->second.low, whole), high);
      operand.set(plain.CreateTrunc(both, operand->getType()));
    }
  }

  void become(Instruction& old, Words words) {
    words_[&old] = words;
    replaced_.push_back(&old);
  }
  void become(Instruction& old, Value* made) {
    old.replaceAllUsesWith(made);
    replaced_.push_back(&old);
  }

  /// A word that nothing is known of, until the phis get theirs.
  Value* unknown() {
    if (!unknown_)
      unknown_ =
          new llvm::FreezeInst(llvm::PoisonValue::get(word_), "", function_.getEntryBlock().getFirstInsertionPt());
    return unknown_;
  }

  void split(Instruction& old) {
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&old)) {
      const unsigned count = phi->getNumIncomingValues();
      const Words words = {b_.CreatePHI(word_, count), b_.CreatePHI(word_, count)};
      // Of a phi without operands LLVM's analyses believe everything.
      for (llvm::BasicBlock* const from : phi->blocks()) {
        llvm::cast<llvm::PHINode>(words.low)->addIncoming(unknown(), from);
        llvm::cast<llvm::PHINode>(words.high)->addIncoming(unknown(), from);
      }
      phis_.emplace_back(phi, words);
      return become(old, words);
    }
    if (auto* cast = llvm::dyn_cast<llvm::CastInst>(&old)) return splitCast(*cast);
    if (auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&old)) return splitOperation(*operation);
    if (auto* compare = llvm::dyn_cast<llvm::ICmpInst>(&old))
      return become(old, compared(compare->getPredicate(), old.getOperand(0), old.getOperand(1)));
    if (auto* choice = llvm::dyn_cast<llvm::SelectInst>(&old))
      return become(old, chosen(choice->getCondition(), choice->getTrueValue(), choice->getFalseValue()));
    if (auto* extreme = llvm::dyn_cast<llvm::MinMaxIntrinsic>(&old)) {
      Value* const first = compared(extreme->getPredicate(), extreme->getLHS(), extreme->getRHS());
      return become(old, chosen(first, extreme->getLHS(), extreme->getRHS()));
    }
    if (llvm::isa<llvm::FreezeInst>(old)) {
      const Words words = wordsOf(old.getOperand(0));
      return become(old, Words{b_.CreateFreeze(words.low), b_.CreateFreeze(words.high)});
    }
    if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&old); call && call->getIntrinsicID() == llvm::Intrinsic::ctlz)
      return become(old, leadingZeros(call->getArgOperand(0)));
    splitAccess(old);
  }

  /// 128 bits in memory; anything else is left to validation.
  void splitAccess(Instruction& old) {
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&old); load && load->isSimple() && widthOf(load) == 128) {
      Value* const from = load->getPointerOperand();
      Value* const low = b_.CreateAlignedLoad(word_, from, load->getAlign());
      Value* const place = b_.CreateConstInBoundsGEP1_64(word_, from, 1);
      return become(old, Words{low, b_.CreateAlignedLoad(word_, place, llvm::commonAlignment(load->getAlign(), 8))});
    }
    auto* const store = llvm::dyn_cast<llvm::StoreInst>(&old);
    if (!store || !store->isSimple() || widthOf(store->getValueOperand()) != 128) return;
    const Words words = wordsOf(store->getValueOperand());
    Value* const to = store->getPointerOperand();
    b_.CreateAlignedStore(words.low, to, store->getAlign());
    b_.CreateAlignedStore(words.high, b_.CreateConstInBoundsGEP1_64(word_, to, 1),
                          llvm::commonAlignment(store->getAlign(), 8));
    replaced_.push_back(&old);
  }

  void splitCast(llvm::CastInst& old) {
    Value* const from = old.getOperand(0);
    const bool isSigned = old.getOpcode() == Instruction::SExt;
    if (old.getOpcode() == Instruction::Trunc) {
      if (isWideInteger(old.getType())) return become(old, wordsOf(from));
      return become(old, b_.CreateTrunc(wordsOf(from).low, old.getType()));
    }
    if (old.getOpcode() != Instruction::ZExt && !isSigned) return;
    if (isWideInteger(from->getType()))
      return become(old, Words{wordsOf(from).low, isSigned ? signExtendedHigh(from) : zeroExtendedHigh(from)});
    Value* const low = isSigned ? b_.CreateSExt(from, word_) : b_.CreateZExt(from, word_);
    become(old, Words{low, isSigned ? b_.CreateAShr(low, 63) : b_.getInt64(0)});
  }

  void splitOperation(llvm::BinaryOperator& old) {
    const Words x = wordsOf(old.getOperand(0));
    const Words y = wordsOf(old.getOperand(1));
    switch (old.getOpcode()) {
      case Instruction::And:
      case Instruction::Or:
      case Instruction::Xor:
        return become(
            old, Words{b_.CreateBinOp(old.getOpcode(), x.low, y.low), b_.CreateBinOp(old.getOpcode(), x.high, y.high)});
      case Instruction::Add: {
        Value* const low = b_.CreateAdd(x.low, y.low);
        Value* const carry = b_.CreateZExt(b_.CreateICmpULT(low, x.low), word_);
        return become(old, Words{low, b_.CreateAdd(b_.CreateAdd(x.high, y.high), carry)});
      }
      case Instruction::Sub: {
        Value* const borrow = b_.CreateZExt(b_.CreateICmpULT(x.low, y.low), word_);
        return become(old, Words{b_.CreateSub(x.low, y.low), b_.CreateSub(b_.CreateSub(x.high, y.high), borrow)});
      }
      case Instruction::Mul: {
        Value* const crossed = b_.CreateAdd(b_.CreateMul(x.low, y.high), b_.CreateMul(x.high, y.low));
        Value* const high = b_.CreateAdd(upperHalfOfProduct(b_, x.low, y.low, /*isSigned=*/false), crossed);
        return become(old, Words{b_.CreateMul(x.low, y.low), high});
      }
      case Instruction::Shl:
        return become(old, shiftedLeft(x, y.low));
      case Instruction::LShr:
        return become(old, shiftedRight({x.low, zeroExtendedHigh(old.getOperand(0))}, y.low, /*isSigned=*/false));
      case Instruction::AShr:
        return become(old, shiftedRight({x.low, signExtendedHigh(old.getOperand(0))}, y.low, /*isSigned=*/true));
      default:
        return;
    }
  }

  /// Amounts of 64 and more move whole words; the shift by one keeps the other part's amount below 64.
  Words shiftedLeft(const Words& x, Value* amount) {
    Value* const part = b_.CreateAnd(amount, 63);
    Value* const whole = b_.CreateIsNotNull(b_.CreateAnd(amount, 64));
    Value* const carried = b_.CreateLShr(b_.CreateLShr(x.low, 1), b_.CreateXor(part, 63));
    Value* const low = b_.CreateShl(x.low, part);
    Value* const high = b_.CreateOr(b_.CreateShl(x.high, part), carried);
    return {b_.CreateSelect(whole, b_.getInt64(0), low), b_.CreateSelect(whole, low, high)};
  }
  Words shiftedRight(const Words& x, Value* amount, bool isSigned) {
    Value* const part = b_.CreateAnd(amount, 63);
    Value* const whole = b_.CreateIsNotNull(b_.CreateAnd(amount, 64));
    Value* const carried = b_.CreateShl(b_.CreateShl(x.high, 1), b_.CreateXor(part, 63));
    Value* const low = b_.CreateOr(b_.CreateLShr(x.low, part), carried);
    Value* const high = isSigned ? b_.CreateAShr(x.high, part) : b_.CreateLShr(x.high, part);
    Value* const filling = isSigned ? b_.CreateAShr(x.high, 63) : b_.getInt64(0);
    return {b_.CreateSelect(whole, high, low), b_.CreateSelect(whole, filling, high)};
  }

  Value* compared(llvm::CmpInst::Predicate predicate, Value* x, Value* y) {
    const bool isSigned = llvm::CmpInst::isSigned(predicate);
    const auto high = [&](Value* value) { return isSigned ? signExtendedHigh(value) : zeroExtendedHigh(value); };
    Value* const xHigh = high(x);
    Value* const yHigh = high(y);
    Value* const lows = b_.CreateICmp(llvm::ICmpInst::getUnsignedPredicate(predicate), wordsOf(x).low, wordsOf(y).low);
    if (llvm::ICmpInst::isEquality(predicate)) {
      Value* const highs = b_.CreateICmp(predicate, xHigh, yHigh);
      return predicate == llvm::CmpInst::ICMP_EQ ? b_.CreateAnd(highs, lows) : b_.CreateOr(highs, lows);
    }
    Value* const same = b_.CreateICmpEQ(xHigh, yHigh);
    return b_.CreateSelect(same, lows, b_.CreateICmp(predicate, xHigh, yHigh));
  }

  Words chosen(Value* condition, Value* yes, Value* no) {
    const Words x = wordsOf(yes);
    const Words y = wordsOf(no);
    return {b_.CreateSelect(condition, x.low, y.low), b_.CreateSelect(condition, x.high, y.high)};
  }

  Words leadingZeros(Value* value) {
    const auto count = [&](Value* word) {
      return b_.CreateIntrinsic(llvm::Intrinsic::ctlz, {word_}, {word, b_.getFalse()});
    };
    Value* const high = zeroExtendedHigh(value);
    Value* const zeros =
        b_.CreateSelect(b_.CreateIsNull(high), b_.CreateAdd(count(wordsOf(value).low), b_.getInt64(64)), count(high));
    return {b_.CreateSub(zeros, b_.getInt64(128 - widthOf(value))), b_.getInt64(0)};
  }

  llvm::Function& function_;
  llvm::IRBuilder<llvm::InstSimplifyFolder> b_;
  llvm::Type* word_;
  llvm::DenseMap<Value*, Words> words_;
  std::vector<std::pair<llvm::PHINode*, Words>> phis_;
  std::vector<Instruction*> replaced_;
  Instruction* unknown_ = nullptr;
};

}  // namespace

bool isWideInteger(const llvm::Type* type) {
  return type->isIntegerTy() && type->getIntegerBitWidth() > 64 && type->getIntegerBitWidth() <= 128;
}

void splitWideIntegers(llvm::Function& function) {
  if (llvm::any_of(llvm::instructions(function), touchesWide)) WideSplitter(function).run();
}

}  // namespace lathe::detail
