// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A comparison with a constant moves through the choices that make the next value, up to the phi itself.
#include "core/group/vectorise/lane_masks.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/InstSimplifyFolder.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

namespace lathe::detail {
namespace {

namespace match = llvm::PatternMatch;

/// The masks `value == constant` of one phi and of what is chosen for its next iteration.
class Comparison {
 public:
  Comparison(llvm::PHINode& phi, llvm::Constant& constant, const llvm::Loop& loop)
      : phi_(phi),
        constant_(constant),
        loop_(loop),
        type_(llvm::cast<llvm::VectorType>(llvm::CmpInst::makeCmpResultType(phi.getType()))) {}

  /// Whether the value that the phi takes from its own iteration is chosen among constants and the phi.
  bool isOfChoices() { return isChoice(phi_.getIncomingValueForBlock(loop_.getLoopLatch())); }

  void replace() {
    llvm::IRBuilder<> builder(&phi_);
    llvm::PHINode* const mask = builder.CreatePHI(type_, phi_.getNumIncomingValues(), phi_.getName() + ".mask");
    masks_[&phi_] = mask;
    llvm::BasicBlock *const before = loop_.getLoopPreheader(), *const latch = loop_.getLoopLatch();
    builder.SetInsertPoint(before->getTerminator());
    mask->addIncoming(builder.CreateICmpEQ(phi_.getIncomingValueForBlock(before), &constant_), before);
    mask->addIncoming(maskOf(phi_.getIncomingValueForBlock(latch)), latch);
    for (const auto& [value, known] : masks_) {
      for (llvm::User* user : llvm::make_early_inc_range(value->users())) {
        auto* const compare = llvm::dyn_cast<llvm::ICmpInst>(user);
        if (!compare || !compare->isEquality() || compare->getOperand(1) != &constant_) continue;
        builder.SetInsertPoint(compare);
        compare->replaceAllUsesWith(compare->getPredicate() == llvm::CmpInst::ICMP_EQ ? known
                                                                                      : builder.CreateNot(known));
        compare->eraseFromParent();
      }
    }
    conjoin(*mask, mask->getOperandUse(1));
  }

 private:
  bool isChoice(const llvm::Value* value) {
    if (value == &phi_ || llvm::isa<llvm::Constant>(value)) return true;
    if (const auto* const bit = llvm::dyn_cast<llvm::ZExtInst>(value)) return bit->getSrcTy() == type_;
    const auto* const select = llvm::dyn_cast<llvm::SelectInst>(value);
    return select && isChoice(select->getTrueValue()) && isChoice(select->getFalseValue());
  }

  llvm::Constant* isEqual(llvm::Constant* value) const {
    return llvm::ConstantFoldCompareInstOperands(llvm::CmpInst::ICMP_EQ, value, &constant_, phi_.getDataLayout());
  }

  llvm::Value* maskOf(llvm::Value* value) {
    if (const auto known = masks_.find(value); known != masks_.end()) return known->second;
    if (auto* const constant = llvm::dyn_cast<llvm::Constant>(value)) return isEqual(constant);
    if (auto* const bit = llvm::dyn_cast<llvm::ZExtInst>(value)) {
      llvm::Constant* const one = llvm::ConstantInt::get(phi_.getType(), 1);
      llvm::Constant* const zero = llvm::Constant::getNullValue(phi_.getType());
      llvm::IRBuilder<> builder(bit->getNextNode());
      return masks_[value] = builder.CreateSelect(bit->getOperand(0), isEqual(one), isEqual(zero));
    }
    auto* const select = llvm::cast<llvm::SelectInst>(value);
    llvm::Value* const ifTrue = maskOf(select->getTrueValue());
    llvm::Value* const ifFalse = maskOf(select->getFalseValue());
    llvm::IRBuilder<> builder(select->getNextNode());
    return masks_[value] = builder.CreateSelect(select->getCondition(), ifTrue, ifFalse);
  }

  /// A lane that has left does not come back: then what the next mask is made of can be known before this one is.
  ///
  ///   before: %next = (%mask & %a) …    after: %next = and %mask, freeze(%all)    with %all made of what no mask is
  ///   part of
  void conjoin(llvm::PHINode& mask, llvm::Use& next) {
    auto* const made = llvm::dyn_cast<llvm::Instruction>(next.get());
    if (!made) return;
    Builder builder(made->getParent(), std::next(made->getIterator()), llvm::InstSimplifyFolder(phi_.getDataLayout()));
    Values known = {{&mask, llvm::ConstantInt::getFalse(type_)}};
    const auto* const never = llvm::dyn_cast<llvm::Constant>(cofactor(*made, known, builder));
    if (!never || !never->isNullValue()) return;
    known = {{&mask, llvm::ConstantInt::getTrue(type_)}};
    // Of lanes that have left it may have no value, which `and` would hand on.
    llvm::Value* const all = builder.CreateFreeze(cofactor(*made, known, builder));
    made->replaceAllUsesWith(builder.CreateAnd(&mask, all));
  }

  using Builder = llvm::IRBuilder<llvm::InstSimplifyFolder>;
  using Values = llvm::DenseMap<llvm::Value*, llvm::Value*>;

  /// What `value` is where others are what `known` says, as far as masks are made of masks.
  llvm::Value* cofactor(llvm::Value& value, Values& known, Builder& builder) {
    if (const auto found = known.find(&value); found != known.end()) return found->second;
    auto* const part = llvm::dyn_cast<llvm::Instruction>(&value);
    if (!part || value.getType() != type_ || !llvm::isa<llvm::SelectInst, llvm::BinaryOperator>(part)) return &value;
    llvm::SmallVector<llvm::Value*, 3> operands;
    for (llvm::Value* operand : part->operands()) operands.push_back(cofactor(*operand, known, builder));
    if (llvm::equal(operands, part->operands())) return known[&value] = part;
    if (llvm::isa<llvm::SelectInst>(part))
      return known[&value] = builder.CreateSelect(operands[0], operands[1], operands[2]);
    const auto opcode = llvm::cast<llvm::BinaryOperator>(part)->getOpcode();
    return known[&value] = builder.CreateBinOp(opcode, operands[0], operands[1]);
  }

  llvm::PHINode& phi_;
  llvm::Constant& constant_;
  const llvm::Loop& loop_;
  llvm::VectorType* type_;
  llvm::MapVector<llvm::Value*, llvm::Value*> masks_;
};

/// The constant that the phi is compared with for equality; null: it is not, or not a vector of integers.
llvm::Constant* comparedWith(llvm::PHINode& phi) {
  if (!phi.getType()->isVectorTy() || !phi.getType()->isIntOrIntVectorTy()) return nullptr;
  for (llvm::User* user : phi.users()) {
    llvm::Constant* constant = nullptr;
    llvm::CmpPredicate predicate;
    if (match::match(user, match::m_ICmp(predicate, match::m_Specific(&phi), match::m_Constant(constant))) &&
        llvm::ICmpInst::isEquality(predicate)) {
      return constant;
    }
  }
  return nullptr;
}

}  // namespace

llvm::PreservedAnalyses LaneMasksPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  const auto& costs = analyses.getResult<llvm::TargetIRAnalysis>(function);
  llvm::SmallVector<llvm::PHINode*> replaced;
  for (const llvm::Loop* loop : analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder()) {
    if (!loop->getLoopPreheader() || !loop->getLoopLatch()) continue;
    for (llvm::PHINode& phi : loop->getHeader()->phis()) {
      llvm::Constant* const constant = comparedWith(phi);
      if (!constant || !costs.isTypeLegal(llvm::CmpInst::makeCmpResultType(phi.getType()))) continue;
      Comparison comparison(phi, *constant, *loop);
      if (!comparison.isOfChoices()) continue;
      comparison.replace();
      replaced.push_back(&phi);
    }
  }
  if (replaced.empty()) return llvm::PreservedAnalyses::all();
  for (llvm::PHINode* phi : replaced) llvm::RecursivelyDeleteDeadPHINode(phi);
  for (llvm::BasicBlock& block : function) llvm::SimplifyInstructionsInBlock(&block);
  return llvm::PreservedAnalyses::allInSet<llvm::CFGAnalyses>();
}

}  // namespace lathe::detail
