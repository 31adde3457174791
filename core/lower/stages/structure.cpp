// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage structure, for targets whose code is text: what the emitter of text (core/emit/text/) can say. Values are
// scalars, memory is read and written by scalars, and control flow nests: a loop has one way out, a branch one place
// where its sides meet. LLVM's own passes do the latter.
//
//   before: %v = load <2 x float>, ptr %p            switch i32 %x, label %a [i32 1, label %b]
//   after:  %v0 = load float … %v1 = load float …    br i1 %is1, label %b, label %flow   flow: …
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/CodeGen/ExpandReductions.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Scalar/DCE.h"
#include "llvm/Transforms/Scalar/Scalarizer.h"
#include "llvm/Transforms/Scalar/StructurizeCFG.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LowerMemIntrinsics.h"
#include "llvm/Transforms/Utils/LowerSwitch.h"
#include "llvm/Transforms/Utils/UnifyFunctionExitNodes.h"
#include "llvm/Transforms/Utils/UnifyLoopExits.h"

#include "core/lower/legalize/legalize.h"
#include "core/lower/passes/passes.h"
#include "core/lower/stages.h"

namespace lathe::detail {
namespace {

/// The numbers of `width` bits that `numbers` are side by side, lowest first; nothing if they do not fit each other.
llvm::SmallVector<llvm::Value*> regrouped(llvm::IRBuilder<>& b, llvm::ArrayRef<llvm::Value*> numbers, unsigned width) {
  const unsigned given = numbers.front()->getType()->getIntegerBitWidth();
  llvm::Type* const type = b.getIntNTy(width);
  llvm::SmallVector<llvm::Value*> out;
  if (given % width == 0) {
    for (llvm::Value* number : numbers) {
      for (unsigned at = 0; at < given; at += width) out.push_back(b.CreateTrunc(b.CreateLShr(number, at), type));
    }
  } else if (width % given == 0) {
    for (std::size_t first = 0; first < numbers.size(); first += width / given) {
      llvm::Value* number = b.CreateZExt(numbers[first], type);
      for (unsigned i = 1; i < width / given; ++i)
        number = b.CreateOr(number, b.CreateShl(b.CreateZExt(numbers[first + i], type), i * given));
      out.push_back(number);
    }
  }
  return out;
}

/// Casts that change the number of elements become shifts of the elements; the scalariser takes the others apart.
void splitCasts(llvm::Function& function) {
  const auto lengthOf = [](llvm::Type* type) {
    auto* const vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
    return vector ? vector->getNumElements() : 0U;
  };
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto* const cast = llvm::dyn_cast<llvm::BitCastInst>(&instruction);
    if (!cast) continue;
    llvm::Type* const to = cast->getDestTy();
    const unsigned count = lengthOf(cast->getSrcTy()), wanted = lengthOf(to);
    if (count == wanted) continue;
    llvm::IRBuilder<> builder(cast);
    llvm::Value* const value = cast->getOperand(0);
    llvm::Type* const number = builder.getIntNTy(cast->getSrcTy()->getScalarSizeInBits());
    llvm::SmallVector<llvm::Value*> numbers;
    for (unsigned i = 0; i < std::max(count, 1U); ++i)
      numbers.push_back(builder.CreateBitCast(count == 0 ? value : builder.CreateExtractElement(value, i), number));
    numbers = regrouped(builder, numbers, to->getScalarSizeInBits());
    if (numbers.size() != std::max(wanted, 1U)) continue;  // the emitter reports it
    llvm::Value* out = wanted == 0 ? builder.CreateBitCast(numbers.front(), to) : llvm::PoisonValue::get(to);
    for (unsigned i = 0; i < wanted; ++i)
      out = builder.CreateInsertElement(out, builder.CreateBitCast(numbers[i], to->getScalarType()), i);
    cast->replaceAllUsesWith(out);
    cast->eraseFromParent();
  }
}

/// One member of an aggregate in memory.
struct Member {
  llvm::SmallVector<unsigned> path;
  llvm::Type* type;
  std::uint64_t offset;
};

void collectMembers(const llvm::DataLayout& layout, llvm::Type* type, std::uint64_t offset,
                    llvm::SmallVector<unsigned>& path, std::vector<Member>& out) {
  if (!type->isAggregateType()) {
    out.push_back({path, type, offset});
    return;
  }
  auto* const structure = llvm::dyn_cast<llvm::StructType>(type);
  const unsigned count = structure ? structure->getNumElements() : static_cast<unsigned>(type->getArrayNumElements());
  for (unsigned i = 0; i < count; ++i) {
    llvm::Type* const element = structure ? structure->getElementType(i) : type->getArrayElementType();
    const std::uint64_t at = structure ? layout.getStructLayout(structure)->getElementOffset(i).getFixedValue()
                                       : layout.getTypeAllocSize(element).getFixedValue() * i;
    path.push_back(i);
    collectMembers(layout, element, offset + at, path, out);
    path.pop_back();
  }
}

/// Loads and stores of aggregates become those of their members.
void splitAggregateAccesses(llvm::Function& function) {
  const llvm::DataLayout& layout = function.getDataLayout();
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto* const load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    auto* const store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
    if (!load && !store) continue;
    llvm::Type* const type = llvm::getLoadStoreType(&instruction);
    if (!type->isAggregateType()) continue;
    llvm::IRBuilder<> builder(&instruction);
    std::vector<Member> members;
    llvm::SmallVector<unsigned> path;
    collectMembers(layout, type, 0, path, members);
    llvm::Value* const pointer = llvm::getPointerOperand(&instruction);
    const llvm::Align align = llvm::getLoadStoreAlignment(&instruction);
    llvm::Value* out = llvm::PoisonValue::get(type);
    for (const Member& member : members) {
      llvm::Value* const at = builder.CreatePtrAdd(pointer, builder.getInt64(member.offset));
      const llvm::Align memberAlign = llvm::commonAlignment(align, member.offset);
      if (load)
        out = builder.CreateInsertValue(
            out, builder.CreateAlignedLoad(member.type, at, memberAlign, load->isVolatile()), member.path);
      else
        builder.CreateAlignedStore(builder.CreateExtractValue(store->getValueOperand(), member.path), at, memberAlign,
                                   store->isVolatile());
    }
    if (load) load->replaceAllUsesWith(out);
    instruction.eraseFromParent();
  }
}

/// The widest unit that both pointers and the length allow.
unsigned unitOf(llvm::Align align, std::uint64_t bytes) {
  std::uint64_t unit = std::min<std::uint64_t>(align.value(), 8);
  while (bytes % unit != 0) unit /= 2;
  return static_cast<unsigned>(unit);
}

constexpr std::uint64_t mostUnits = 16;

/// Short copies and sets of a known size, access by access. All is read before anything is written, so that it serves
/// for overlapping memory too.
bool copyInPlace(llvm::MemIntrinsic& call) {
  const auto* const length = llvm::dyn_cast<llvm::ConstantInt>(call.getLength());
  if (!length) return false;
  const std::uint64_t bytes = length->getZExtValue();
  auto* const copy = llvm::dyn_cast<llvm::MemTransferInst>(&call);
  const llvm::Align to = call.getDestAlign().valueOrOne();
  const llvm::Align align = copy ? std::min(to, copy->getSourceAlign().valueOrOne()) : to;
  if (bytes == 0) return true;
  const unsigned unit = unitOf(align, bytes);
  if (bytes / unit > mostUnits) return false;
  llvm::IRBuilder<> builder(&call);
  llvm::Type* const type = builder.getIntNTy(8 * unit);
  llvm::SmallVector<llvm::Value*> values;
  for (std::uint64_t at = 0; at < bytes; at += unit) {
    if (copy) {
      values.push_back(builder.CreateAlignedLoad(type, builder.CreatePtrAdd(copy->getRawSource(), builder.getInt64(at)),
                                                 llvm::Align(unit), call.isVolatile()));
      continue;
    }
    llvm::Value* const byte = builder.CreateZExt(llvm::cast<llvm::MemSetInst>(call).getValue(), type);
    values.push_back(
        builder.CreateMul(byte, llvm::ConstantInt::get(type, llvm::APInt::getSplat(8 * unit, llvm::APInt(8, 1)))));
  }
  for (std::uint64_t i = 0; i < values.size(); ++i)
    builder.CreateAlignedStore(values[i], builder.CreatePtrAdd(call.getRawDest(), builder.getInt64(i * unit)),
                               llvm::Align(unit), call.isVolatile());
  return true;
}

void expandCopies(llvm::Function& function, const llvm::TargetTransformInfo& costs) {
  llvm::SmallVector<llvm::MemIntrinsic*> found;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (auto* const call = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction)) found.push_back(call);
  }
  for (llvm::MemIntrinsic* call : found) {
    if (!copyInPlace(*call)) {
      if (auto* const copy = llvm::dyn_cast<llvm::MemCpyInst>(call))
        llvm::expandMemCpyAsLoop(copy, costs);
      else if (auto* const set = llvm::dyn_cast<llvm::MemSetInst>(call))
        llvm::expandMemSetAsLoop(set);
      else
        llvm::expandMemMoveAsLoop(llvm::cast<llvm::MemMoveInst>(call), costs);
    }
    call->eraseFromParent();
  }
}

/// The classes of a floating-point number (LLVM's llvm.is.fpclass), by comparing its bits.
llvm::Value* hasClass(llvm::IRBuilder<>& b, llvm::Value* value, unsigned classes) {
  const llvm::fltSemantics& form = value->getType()->getFltSemantics();
  const unsigned width = value->getType()->getScalarSizeInBits();
  llvm::Type* const type = b.getIntNTy(width);
  llvm::Value* const bits = b.CreateBitCast(value, type);
  const auto number = [&](const llvm::APInt& bitsOf) { return llvm::ConstantInt::get(type, bitsOf); };
  llvm::Value* const size = b.CreateAnd(bits, number(llvm::APInt::getSignedMaxValue(width)));
  llvm::Value* const negative = b.CreateICmpSLT(bits, number(llvm::APInt::getZero(width)));
  const llvm::APInt infinity = llvm::APFloat::getInf(form).bitcastToAPInt();
  const llvm::APInt quiet = llvm::APFloat::getQNaN(form).bitcastToAPInt();
  const llvm::APInt normal = llvm::APFloat::getSmallestNormalized(form).bitcastToAPInt();
  // From `first` on, below `end`.
  const auto within = [&](const llvm::APInt& first, const llvm::APInt& end) {
    return b.CreateICmpULT(b.CreateSub(size, number(first)), number(end - first));
  };
  llvm::Value* out = b.getFalse();
  const auto add = [&](unsigned below, unsigned above, llvm::Value* test) {
    const bool both = (classes & below) != 0 && (classes & above) != 0;
    if ((classes & (below | above)) == 0) return;
    llvm::Value* const sign = both ? b.getTrue() : (classes & below) != 0 ? negative : b.CreateNot(negative);
    out = b.CreateOr(out, b.CreateAnd(test, sign));
  };
  const llvm::APInt one(width, 1), zero(width, 0);
  add(llvm::fcSNan, llvm::fcSNan, within(infinity + one, quiet));
  add(llvm::fcQNan, llvm::fcQNan, within(quiet, llvm::APInt::getSignedMinValue(width)));
  add(llvm::fcNegInf, llvm::fcPosInf, b.CreateICmpEQ(size, number(infinity)));
  add(llvm::fcNegNormal, llvm::fcPosNormal, within(normal, infinity));
  add(llvm::fcNegSubnormal, llvm::fcPosSubnormal, within(one, normal));
  add(llvm::fcNegZero, llvm::fcPosZero, b.CreateICmpEQ(size, number(zero)));
  return out;
}

void expandClasses(llvm::Function& function) {
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto* const call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    if (!call || call->getIntrinsicID() != llvm::Intrinsic::is_fpclass || call->getType()->isVectorTy()) continue;
    llvm::IRBuilder<> builder(call);
    const auto* const classes = llvm::cast<llvm::ConstantInt>(call->getArgOperand(1));
    call->replaceAllUsesWith(hasClass(builder, call->getArgOperand(0), static_cast<unsigned>(classes->getZExtValue())));
    call->eraseFromParent();
  }
}

/// Places that no item reaches lead to the function's end: text has no other.
void endUnreachable(llvm::Function& function) {
  for (llvm::BasicBlock& block : function) {
    auto* const end = llvm::dyn_cast<llvm::UnreachableInst>(block.getTerminator());
    if (!end) continue;
    llvm::Type* const type = function.getReturnType();
    llvm::ReturnInst::Create(function.getContext(), type->isVoidTy() ? nullptr : llvm::PoisonValue::get(type),
                             end->getIterator());
    end->eraseFromParent();
  }
}

/// The last step before control flow is structured: those before it make blocks too.
struct BindFreeChoices : llvm::PassInfoMixin<BindFreeChoices> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
    bindFreeChoices(function, analyses.getResult<llvm::TargetIRAnalysis>(function));
    return llvm::PreservedAnalyses::allInSet<llvm::CFGAnalyses>();
  }
};

}  // namespace

llvm::Error stage::structure(Lowering& lowering) {
  dropUnwritable(lowering);
  Pipeline pipeline(lowering, /*vectorise=*/false);
  for (llvm::Function& function : *lowering.module) {
    if (function.isDeclaration()) continue;
    endUnreachable(function);
    llvm::removeUnreachableBlocks(function);
    splitAggregateAccesses(function);
    expandCopies(function, pipeline.functions().getResult<llvm::TargetIRAnalysis>(function));
    splitCasts(function);
    pipeline.functions().clear(function, function.getName());
  }
  llvm::ScalarizerPassOptions scalars;
  scalars.ScalarizeVariableInsertExtract = true;
  scalars.ScalarizeLoadStore = true;
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::ExpandReductionsPass());
  passes.addPass(llvm::ScalarizerPass(scalars));
  passes.addPass(llvm::DCEPass());
  passes.addPass(llvm::LowerSwitchPass());
  passes.addPass(llvm::UnifyFunctionExitNodesPass());
  passes.addPass(FixLoopEntries());
  passes.addPass(llvm::UnifyLoopExitsPass());
  passes.addPass(BindFreeChoices());
  passes.addPass(llvm::StructurizeCFGPass());
  passes.addPass(llvm::DCEPass());
  pipeline.run(std::move(passes));
  // Behind the scalariser: there are no vectors of them any more, and what was one bit an element is an integer.
  for (llvm::Function& function : *lowering.module) {
    expandClasses(function);
    if (!function.isDeclaration()) widenIntegers(function);
  }
  return llvm::Error::success();
}

}  // namespace lathe::detail
