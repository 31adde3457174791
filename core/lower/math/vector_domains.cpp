// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operands that a library's vector functions compute one by one.
#include "core/lower/math/vector_domains.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include "core/abi/math.h"

namespace lathe::detail {
namespace {

/// Of an exponential function: where its results are numbers with all their digits, where they are zero, and infinite.
struct Range {
  double within, zero, infinite;
};
struct Exponential {
  llvm::StringRef name;
  Range doubles, floats;
};
constexpr Exponential exponentials[] = {
    {"exp", {708, -745.2, 709.79}, {87, -104, 88.73}},
    {"exp2", {1022, -1075.01, 1024}, {126, -150.01, 128}},
    {"exp10", {307.6, -323.61, 308.26}, {37.9, -45.2, 38.54}},
};
constexpr llvm::StringRef logarithms[] = {"log", "log2", "log10"};

/// One call of a vector function, and the means to write what takes its place.
class Guard {
 public:
  explicit Guard(llvm::CallInst& call) : call_(call), builder_(&call), x_(call.getArgOperand(0)) {}

  /// Leaves vectors alone whose elements are all ordinary; of others, `slow` writes the result and returns it.
  template <class Slow>
  void write(llvm::Value* isOrdinary, Slow&& slow) {
    llvm::Instruction *fastEnd = nullptr, *slowEnd = nullptr;
    llvm::MDNode* const likely = llvm::MDBuilder(call_.getContext()).createLikelyBranchWeights();
    llvm::SplitBlockAndInsertIfThenElse(builder_.CreateAndReduce(isOrdinary), call_.getIterator(), &fastEnd, &slowEnd,
                                        likely);
    llvm::Instruction* const fast = call_.clone();
    fast->insertBefore(fastEnd->getIterator());
    builder_.SetInsertPoint(slowEnd);
    llvm::Value* const other = slow();
    builder_.SetInsertPoint(&call_);
    llvm::PHINode* const result = builder_.CreatePHI(call_.getType(), 2);
    result->addIncoming(fast, fastEnd->getParent());
    result->addIncoming(other, slowEnd->getParent());
    result->takeName(&call_);
    call_.replaceAllUsesWith(result);
    call_.eraseFromParent();
  }

  void guardExponential(const Range& range) {
    llvm::Value* const size = builder_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x_);
    write(builder_.CreateFCmpOLE(size, number(range.within)), [&] {
      llvm::Value* const isZero = builder_.CreateFCmpOLE(x_, number(range.zero));
      llvm::Value* const isInfinite = builder_.CreateFCmpOGE(x_, number(range.infinite));
      llvm::Value* const isNone = builder_.CreateFCmpUNO(x_, x_);
      llvm::Value* const isKnown = builder_.CreateOr(builder_.CreateOr(isZero, isInfinite), isNone);
      llvm::Value* out = callWith(builder_.CreateSelect(isKnown, number(0), x_));
      out = builder_.CreateSelect(isZero, number(0), out);
      out = builder_.CreateSelect(isInfinite, infinity(), out);
      return builder_.CreateSelect(isNone, x_, out);
    });
  }

  void guardLogarithm() {
    llvm::Value* const isOrdinary = isPositive();
    write(isOrdinary, [&] {
      llvm::Value* const out = callWith(builder_.CreateSelect(isOrdinary, x_, number(1)));
      llvm::Value* other = builder_.CreateSelect(builder_.CreateFCmpOLT(x_, number(0)),
                                                 llvm::ConstantFP::getNaN(x_->getType()), x_);  // infinity and NaN stay
      other = builder_.CreateSelect(builder_.CreateFCmpOEQ(x_, number(0)),
                                    llvm::ConstantFP::getInfinity(x_->getType(), /*Negative=*/true), other);
      return builder_.CreateSelect(isOrdinary, out, other);
    });
  }

  /// A negative number has the power of its size, with a sign, where the exponent is whole, and else none.
  void guardPower() {
    llvm::Value* const y = call_.getArgOperand(1);
    write(isPositive(), [&] {
      llvm::Value* const isNegative =
          builder_.CreateAnd(builder_.CreateFCmpOLT(x_, number(0)), builder_.CreateFCmpOGT(x_, negated(infinity())));
      const auto isWhole = [&](llvm::Value* value) {
        return builder_.CreateFCmpOEQ(builder_.CreateUnaryIntrinsic(llvm::Intrinsic::trunc, value), value);
      };
      llvm::Value* const isOdd = builder_.CreateNot(isWhole(builder_.CreateFMul(y, number(0.5))));
      llvm::Value* const size = callWith(builder_.CreateSelect(isNegative, negated(x_), x_));
      llvm::Value* const signedSize = builder_.CreateSelect(isOdd, negated(size), size);
      llvm::Value* const power = builder_.CreateSelect(isWhole(y), signedSize, llvm::ConstantFP::getNaN(x_->getType()));
      return builder_.CreateSelect(isNegative, power, size);
    });
  }

 private:
  llvm::Constant* number(double value) const { return llvm::ConstantFP::get(x_->getType(), value); }
  llvm::Constant* infinity() const { return llvm::ConstantFP::getInfinity(x_->getType()); }
  llvm::Value* negated(llvm::Value* value) { return builder_.CreateFNeg(value); }
  llvm::Value* isPositive() {
    return builder_.CreateAnd(builder_.CreateFCmpOGT(x_, number(0)), builder_.CreateFCmpOLT(x_, infinity()));
  }
  llvm::Value* callWith(llvm::Value* operand) {
    auto* const made = llvm::cast<llvm::CallInst>(call_.clone());
    made->setArgOperand(0, operand);
    return builder_.Insert(made);
  }

  llvm::CallInst& call_;
  llvm::IRBuilder<> builder_;
  llvm::Value* x_;
};

/// Writes what takes the place of `call`, of the vectors' form of `use`, if that is one of the above.
void guard(llvm::CallInst& call, const MathUse& use) {
  const llvm::StringRef name = use.function->name;
  if (const auto* const one = llvm::find_if(exponentials, [&](const Exponential& each) { return each.name == name; });
      one != std::end(exponentials))
    Guard(call).guardExponential(use.isDouble ? one->doubles : one->floats);
  else if (llvm::is_contained(logarithms, name))
    Guard(call).guardLogarithm();
  else if (name == "pow")
    Guard(call).guardPower();
}

}  // namespace

void guardVectorMath(llvm::Module& module) {
  for (llvm::Function& function : module) {
    // _ZGV, the instructions, N for calls without a mask, the width, a letter an operand, and the function's name.
    if (!function.isDeclaration() || !function.getName().starts_with("_ZGV") ||
        !llvm::isa<llvm::FixedVectorType>(function.getReturnType()))
      continue;
    const auto use = findMath(function.getName().rsplit('_').second);
    if (!use) continue;
    for (llvm::User* const user : llvm::make_early_inc_range(function.users())) {
      auto* const call = llvm::dyn_cast<llvm::CallInst>(user);
      if (call && call->getCalledFunction() == &function) guard(*call, *use);
    }
  }
}

}  // namespace lathe::detail
