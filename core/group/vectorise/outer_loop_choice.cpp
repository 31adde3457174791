// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop's form, and what an iteration costs in vectors.
#include "core/group/vectorise/outer_loop_choice.h"

#include <algorithm>
#include <array>

#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/LoopIterator.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

#include "core/group/vectorise/integer_division.h"
#include "core/lower/passes/loops/loop_properties.h"

namespace lathe::detail {
namespace {

/// Lanes of a strip: more would leave too many behind who wait for the slowest.
constexpr unsigned mostLanes = 16, fewestLanes = 4;
/// Of an iteration's cost, beyond which a strip's values would not stay in registers.
constexpr unsigned mostInstructions = 96;
/// The same where all items take as many iterations: nothing but registers is lost, and memory is in the first cache.
constexpr unsigned mostAlike = 512;
/// Twice how much faster than lanes one by one all of them must be at once, for some will be idle.
constexpr unsigned gain = 5;
/// The same where none will be.
constexpr unsigned gainAlike = 4;
/// Of an access whose lanes are anywhere, more than its instruction: as many lines of the cache.
constexpr unsigned scatter = 2;
/// Of a branch that a lane by itself takes, guessed wrong now and then.
constexpr unsigned branchCost = 2;

/// Of a function for all lanes, over the function for one.
constexpr unsigned vectorCall = 4;

constexpr auto kind = llvm::TargetTransformInfo::TCK_RecipThroughput;

bool isElement(const llvm::Type& type) {
  return type.isIntegerTy() || type.isFloatTy() || type.isDoubleTy() || type.isPointerTy();
}

/// The greatest size in bits of a value that arithmetic makes.
unsigned widestBits(const llvm::Loop& loop) {
  unsigned out = 32;
  const llvm::DataLayout& layout = loop.getHeader()->getDataLayout();
  for (const llvm::BasicBlock* block : loop.blocks()) {
    for (const llvm::Instruction& instruction : *block) {
      // Addresses are as wide as they are; few lanes for their sake would be too few for the rest.
      if (instruction.getType()->isVoidTy() || llvm::isa<llvm::GetElementPtrInst, llvm::CastInst>(instruction))
        continue;
      out = std::max(out, static_cast<unsigned>(layout.getTypeSizeInBits(instruction.getType()).getFixedValue()));
    }
  }
  return out;
}

/// What an access's lanes have to do with each other, where iterations are counted alike.
class Places {
 public:
  Places(const llvm::Loop& items, llvm::ScalarEvolution& evolution) : items_(items), evolution_(evolution) {}

  enum Kind { anywhere, same, neighbours };
  Kind of(const llvm::Instruction& access) const {
    const auto* const pointer = llvm::getLoadStorePointerOperand(&access);
    const llvm::SCEV* place = evolution_.getSCEV(const_cast<llvm::Value*>(pointer));
    if (!varies(place)) return same;
    // Of iterations: where the first one is.
    while (const auto* const series = llvm::dyn_cast<llvm::SCEVAddRecExpr>(place)) {
      const llvm::SCEV* const step = series->getStepRecurrence(evolution_);
      if (series->getLoop() != &items_) {
        if (varies(step)) return anywhere;
        place = series->getStart();
        continue;
      }
      const auto* const bytes = llvm::dyn_cast<llvm::SCEVConstant>(step);
      const llvm::TypeSize size = access.getDataLayout().getTypeStoreSize(llvm::getLoadStoreType(&access));
      return bytes && bytes->getAPInt() == size.getFixedValue() ? neighbours : anywhere;
    }
    return anywhere;
  }

 private:
  /// Whether items have values of their own.
  bool varies(const llvm::SCEV* value) const {
    return llvm::SCEVExprContains(value, [&](const llvm::SCEV* part) {
      if (const auto* const series = llvm::dyn_cast<llvm::SCEVAddRecExpr>(part)) return series->getLoop() == &items_;
      const auto* const other = llvm::dyn_cast<llvm::SCEVUnknown>(part);
      const auto* const made = other ? llvm::dyn_cast<llvm::Instruction>(other->getValue()) : nullptr;
      return made && items_.contains(made);
    });
  }

  const llvm::Loop& items_;
  llvm::ScalarEvolution& evolution_;
};

/// Of `instruction` for a whole strip; without `places` under a mask.
llvm::InstructionCost vectorCost(const llvm::Instruction& instruction, const llvm::Loop& items,
                                 const llvm::TargetTransformInfo& costs, const llvm::TargetLibraryInfo& library,
                                 llvm::ScalarEvolution& evolution, unsigned width, const Places* places) {
  const auto wide = [&](llvm::Type* type) { return llvm::FixedVectorType::get(type, width); };
  llvm::Type* const type = instruction.getType();
  if (llvm::isa<llvm::AssumeInst, llvm::GetElementPtrInst>(instruction)) return 0;
  if (llvm::isa<llvm::BranchInst>(instruction)) return 1;
  // Written as a choice, so that the second condition may be anything where the first one decides; of masks it is none.
  if (llvm::PatternMatch::match(&instruction, llvm::PatternMatch::m_LogicalOp()))
    return costs.getArithmeticInstrCost(llvm::Instruction::Or, wide(type), kind);
  if (llvm::isa<llvm::PHINode, llvm::SelectInst>(instruction))
    return costs.getCmpSelInstrCost(llvm::Instruction::Select, wide(type),
                                    wide(llvm::Type::getInt1Ty(type->getContext())), llvm::CmpInst::BAD_ICMP_PREDICATE,
                                    kind);
  if (const auto* const compare = llvm::dyn_cast<llvm::CmpInst>(&instruction))
    return costs.getCmpSelInstrCost(compare->getOpcode(), wide(compare->getOperand(0)->getType()), wide(type),
                                    compare->getPredicate(), kind);
  if (const auto* const cast = llvm::dyn_cast<llvm::CastInst>(&instruction))
    return costs.getCastInstrCost(cast->getOpcode(), wide(type), wide(cast->getSrcTy()),
                                  llvm::TargetTransformInfo::CastContextHint::None, kind);
  if (llvm::isa<llvm::LoadInst, llvm::StoreInst>(instruction)) {
    const bool load = llvm::isa<llvm::LoadInst>(instruction);
    llvm::Type* const all = wide(llvm::getLoadStoreType(&instruction));
    switch (places ? places->of(instruction) : Places::anywhere) {
      case Places::same:
        if (load) return costs.getInstructionCost(&instruction, kind);
        break;
      case Places::neighbours:
        return costs.getMemoryOpCost(instruction.getOpcode(), all, llvm::getLoadStoreAlignment(&instruction),
                                     llvm::getLoadStoreAddressSpace(&instruction), kind);
      case Places::anywhere:
        break;
    }
    return scatter *
           costs.getMemIntrinsicInstrCost({load ? llvm::Intrinsic::masked_gather : llvm::Intrinsic::masked_scatter, all,
                                           llvm::getLoadStorePointerOperand(&instruction), true,
                                           llvm::getLoadStoreAlignment(&instruction), &instruction},
                                          kind);
  }
  const auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  const llvm::Function* const callee = call ? call->getCalledFunction() : nullptr;
  if (callee && library.isFunctionVectorizable(callee->getName(), llvm::ElementCount::getFixed(width)))
    return vectorCall * costs.getInstructionCost(&instruction, kind);
  if (const auto* const intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) {
    llvm::SmallVector<llvm::Type*, 4> operands;
    for (unsigned i = 0; i < intrinsic->arg_size(); ++i) {
      llvm::Type* const operand = intrinsic->getArgOperand(i)->getType();
      const bool scalar = llvm::isVectorIntrinsicWithScalarOpAtArg(intrinsic->getIntrinsicID(), i, &costs);
      operands.push_back(scalar ? operand : wide(operand));
    }
    return costs.getIntrinsicInstrCost({intrinsic->getIntrinsicID(), wide(type), operands}, kind);
  }
  if (call) return vectorCall * costs.getInstructionCost(&instruction, kind);
  if (const auto* const operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction))
    if (const auto cost = costOfDoubles(*operation, items, width, costs, evolution)) return *cost;
  if (llvm::isa<llvm::UnaryOperator, llvm::BinaryOperator>(instruction)) {
    // Constants are the same in all lanes: shifts and products by them are cheap.
    const auto infoOf = [&](unsigned i) {
      return llvm::TargetTransformInfo::getOperandInfo(instruction.getOperand(i));
    };
    return costs.getArithmeticInstrCost(instruction.getOpcode(), wide(type), kind, infoOf(0),
                                        infoOf(instruction.getNumOperands() - 1));
  }
  return costs.getInstructionCost(&instruction, kind);
}

struct Costs {
  llvm::InstructionCost together = 0, alone = 0;  ///< of `width` items
  unsigned instructions = 0;

  /// Whether all at once are `twice` / 2 times as fast.
  [[nodiscard]] bool gain(unsigned twice) const {
    return together.isValid() && alone.isValid() && together * twice <= 2 * alone;
  }
};

/// Of one iteration of `body`, which is `items` or in it.
Costs costsOf(const llvm::Loop& body, const llvm::Loop& items, const llvm::TargetTransformInfo& costs,
              const llvm::TargetLibraryInfo& library, llvm::ScalarEvolution& evolution, unsigned width,
              const Places* places) {
  Costs out;
  for (const llvm::BasicBlock* block : body.blocks()) {
    for (const llvm::Instruction& instruction : *block) {
      out.together += vectorCost(instruction, items, costs, library, evolution, width, places);
      const bool isBranch = llvm::isa<llvm::BranchInst>(instruction);
      out.alone += width * (isBranch ? branchCost : costs.getInstructionCost(&instruction, kind));
      ++out.instructions;
    }
  }
  return out;
}

bool pays(const OuterLoop& loop, const llvm::TargetTransformInfo& costs, const llvm::TargetLibraryInfo& library,
          llvm::ScalarEvolution& evolution, const Places* places) {
  const Costs found = costsOf(*loop.iterations, *loop.items, costs, library, evolution, loop.width, places);
  return found.instructions <= (places ? mostAlike : mostInstructions) && found.gain(places ? gainAlike : gain);
}

/// Whether `loop` holds cycles that are entered at several blocks, which are no loops of LLVM's: its parts would not
/// follow each other.
bool isIrreducible(llvm::Loop& loop, const llvm::LoopInfo& loops) {
  llvm::LoopBlocksRPO order(&loop);
  order.perform(&loops);
  return llvm::containsIrreducibleCFG<const llvm::BasicBlock*>(order, loops);
}

/// How often all items take the iterations behind the first one; null if that is not known before their loop.
const llvm::SCEV* countedAlike(const OuterLoop& loop, llvm::ScalarEvolution& evolution) {
  if (loop.iterations->getExitingBlock() != loop.iterations->getLoopLatch()) return nullptr;
  const llvm::SCEV* const count = evolution.getBackedgeTakenCount(loop.iterations);
  return !llvm::isa<llvm::SCEVCouldNotCompute>(count) && evolution.isLoopInvariant(count, loop.items) ? count : nullptr;
}

/// Computes in front of the items' loop how iterations are counted. False if that would cost more than arithmetic.
bool expandCounts(OuterLoop& loop, const llvm::SCEV& more, llvm::ScalarEvolution& evolution) {
  llvm::Instruction* const place = loop.items->getLoopPreheader()->getTerminator();
  llvm::SCEVExpander expander(evolution, "strip");
  if (!expander.isSafeToExpandAt(&more, place)) return false;
  for (llvm::PHINode& phi : loop.iterations->getHeader()->phis()) {
    if (!phi.getType()->isIntegerTy()) continue;
    const auto* const series = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution.getSCEV(&phi));
    if (!series || !series->isAffine() || series->getLoop() != loop.iterations) continue;
    // Behind the loop each item reads its own, as the iterations may be passed by.
    const bool isReadBehind = llvm::any_of(phi.users(), [&](const llvm::User* user) {
      return !loop.iterations->contains(llvm::cast<llvm::Instruction>(user));
    });
    if (isReadBehind) continue;
    const llvm::SCEV* const start = series->getStart();
    const llvm::SCEV* const step = series->getStepRecurrence(evolution);
    const bool known = llvm::all_of(std::array{start, step}, [&](const llvm::SCEV* value) {
      return evolution.isLoopInvariant(value, loop.items) && expander.isSafeToExpandAt(value, place);
    });
    if (!known) continue;
    loop.counters.push_back({&phi, expander.expandCodeFor(start, phi.getType(), place),
                             expander.expandCodeFor(step, phi.getType(), place)});
  }
  loop.more = expander.expandCodeFor(&more, more.getType(), place);
  return true;
}

}  // namespace

bool isVectorisable(const llvm::Instruction& instruction, const llvm::TargetLibraryInfo& library) {
  if (instruction.isAtomic() || instruction.isVolatile()) return false;
  if (!instruction.getType()->isVoidTy() && !isElement(*instruction.getType())) return false;
  if (llvm::isa<llvm::AllocaInst, llvm::FenceInst>(instruction)) return false;
  if (instruction.isTerminator()) return llvm::isa<llvm::BranchInst>(instruction);
  const auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  if (!call) return !llvm::isa<llvm::CallBase>(instruction);
  if (const auto* const intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(call))
    return llvm::isa<llvm::AssumeInst>(intrinsic) || llvm::isTriviallyVectorizable(intrinsic->getIntrinsicID());
  const llvm::Function* const callee = call->getCalledFunction();
  return callee && library.isFunctionVectorizable(callee->getName());
}

bool isTwiceAsFast(const llvm::Loop& items, const llvm::TargetTransformInfo& costs,
                   const llvm::TargetLibraryInfo& library, llvm::ScalarEvolution& evolution) {
  const std::uint64_t bits = costs.getRegisterBitWidth(llvm::TargetTransformInfo::RGK_FixedWidthVector).getFixedValue();
  // As LLVM's vectoriser chooses it: by what goes to memory.
  std::uint64_t widest = 8;
  for (const llvm::BasicBlock* block : items.blocks())
    for (const llvm::Instruction& instruction : *block)
      if (llvm::getLoadStorePointerOperand(&instruction))
        widest = std::max(
            widest,
            instruction.getDataLayout().getTypeSizeInBits(llvm::getLoadStoreType(&instruction)).getFixedValue());
  const auto width = static_cast<unsigned>(bits / widest);
  const Places places(items, evolution);
  return width > 1 && costsOf(items, items, costs, library, evolution, width, &places).gain(4);
}

std::optional<OuterLoop> readOuterLoop(llvm::Loop& loop, const llvm::LoopInfo& loops,
                                       const llvm::TargetTransformInfo& costs, const llvm::TargetLibraryInfo& library,
                                       llvm::ScalarEvolution& evolution) {
  if (!llvm::findOptionMDForLoop(&loop, "llvm.loop.parallel_accesses") || loop.getSubLoops().size() != 1) return {};
  OuterLoop out{.items = &loop, .iterations = loop.getSubLoops().front()};
  llvm::BasicBlock* const latch = loop.getLoopLatch();
  if (!loop.isLoopSimplifyForm() || loop.getExitingBlock() != latch || !loop.isAnnotatedParallel()) return {};
  if (!out.iterations->isInnermost() || !out.iterations->isLoopSimplifyForm() || out.iterations->hasNoExitBlocks())
    return {};
  if (isIrreducible(loop, loops)) return {};

  // It counts, and nothing else goes from item to item or out of the loop.
  auto phis = loop.getHeader()->phis();
  const auto* const branch = llvm::dyn_cast<llvm::BranchInst>(latch->getTerminator());
  if (phis.empty() || std::next(phis.begin()) != phis.end() || !branch || branch->isUnconditional()) return {};
  out.x = &*phis.begin();
  out.next = llvm::dyn_cast<llvm::Instruction>(out.x->getIncomingValueForBlock(latch));
  const auto* const add = llvm::dyn_cast_or_null<llvm::BinaryOperator>(out.next);
  const auto* const test = llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition());
  if (!out.x->getType()->isIntegerTy(64) || !add || add->getOpcode() != llvm::Instruction::Add ||
      add->getOperand(0) != out.x || !llvm::PatternMatch::match(add->getOperand(1), llvm::PatternMatch::m_One()) ||
      !test || !test->hasOneUse() || test->getOperand(0) != out.next || !loop.isLoopInvariant(test->getOperand(1)))
    return {};
  const bool endsOnTrue = branch->getSuccessor(0) != loop.getHeader();
  if (test->getPredicate() != (endsOnTrue ? llvm::CmpInst::ICMP_EQ : llvm::CmpInst::ICMP_NE)) return {};
  out.end = test->getOperand(1);
  for (const llvm::BasicBlock* block : loop.blocks()) {
    for (const llvm::Instruction& instruction : *block) {
      if (!isVectorisable(instruction, library)) return {};
      for (const llvm::User* user : instruction.users())
        if (!loop.contains(llvm::cast<llvm::Instruction>(user))) return {};
    }
  }

  const std::uint64_t bits = costs.getRegisterBitWidth(llvm::TargetTransformInfo::RGK_FixedWidthVector).getFixedValue();
  // Two registers for a value, so that one computes while the other waits.
  out.width = std::min(static_cast<unsigned>(2 * bits / widestBits(*out.iterations)), mostLanes);
  if (out.width < fewestLanes) return {};
  const Places places(loop, evolution);
  const llvm::SCEV* const more = countedAlike(out, evolution);
  if (!pays(out, costs, library, evolution, more ? &places : nullptr)) return {};
  if (more && !expandCounts(out, *more, evolution)) return {};
  return out;
}

llvm::MDNode* loopOfOneVector(const OuterLoop& loop) {
  llvm::LLVMContext& context = loop.x->getContext();
  const auto option = [&](const char* name, unsigned value) {
    return loopProperty(context, name, *llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), value));
  };
  return loopOf(context, {llvm::findOptionMDForLoop(loop.items, "llvm.loop.parallel_accesses"),
                          option("llvm.loop.vectorize.width", loop.width), option("llvm.loop.interleave.count", 1)});
}

}  // namespace lathe::detail
