// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every barrier cuts the kernel, and unrolled loops of shuffles would cut it into thousands of regions: slow code, and
// slow to make. This is list scheduling by levels: level n is what can be computed from the results of n rounds.
// Rounds use the two halves of the places in turn. When an item stores to a half again, all have met since they loaded
// from it, at the barrier of the round between.
#include "core/group/split/shuffle_batches.h"

#include <algorithm>
#include <tuple>
#include <vector>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ReplaceConstant.h"

#include "core/group/analysis/device_calls.h"

namespace lathe::detail {
namespace {

/// Exchanges of one round, and so half the places that a kernel can have.
constexpr unsigned mostTogether = 8;

/// Whether `pointer` leads into the exchange variable.
bool isExchange(const llvm::Value* pointer) {
  while (true) {
    pointer = pointer->stripPointerCasts();
    const auto* const offset = llvm::dyn_cast<llvm::GEPOperator>(pointer);
    if (!offset) break;
    pointer = offset->getPointerOperand();
  }
  return pointer->getName() == exchangeName;
}

/// Whether `instruction` touches memory that other items may see, or that this item does in an order.
bool keepsOrder(const llvm::Instruction& instruction) {
  return instruction.mayReadOrWriteMemory() && !instruction.hasMetadata(llvm::LLVMContext::MD_invariant_load);
}

enum class Part { load, other, store, barrier };  // the order within a level

struct Step {
  llvm::Instruction* instruction;
  Part part = Part::other;
  unsigned level = 0;
  std::size_t exchange = 0;  ///< of loads and stores
  bool early = false;        ///< in front of a load, behind its barrier, and not computed from what the barrier brought
};

struct Exchange {
  std::vector<std::size_t> stores, loads;  // steps
  unsigned round = 0;                      ///< its loads' level
  unsigned place = 0;
};

/// Exchanges in a row, in one block, by the same items.
struct Row {
  std::vector<Step> steps;
  std::vector<Exchange> exchanges;
  llvm::SmallVector<llvm::Instruction*> barriers;
  llvm::Instruction* end = nullptr;  ///< what follows
  unsigned rounds = 0;
  unsigned places = 0;  ///< of the fullest round
};

/// Reads the rows of a block.
class RowReader {
 public:
  explicit RowReader(llvm::BasicBlock& block) : block_(block) {}

  std::vector<Row> run() {
    for (llvm::Instruction& instruction : block_) take(instruction);
    close();
    return std::move(rows_);
  }

 private:
  enum class State { outside, storing, loading };

  void take(llvm::Instruction& instruction) {
    if (isSubgroupBarrier(instruction) && instruction.use_empty()) {  // nobody asks who met
      meet(llvm::cast<llvm::CallInst>(instruction));
      return;
    }
    const llvm::Value* const pointer = llvm::getLoadStorePointerOperand(&instruction);
    if (pointer && isExchange(pointer)) {
      access(instruction);
    } else if (llvm::isa<llvm::PHINode, llvm::AllocaInst>(instruction) || instruction.isTerminator() ||
               (llvm::isa<llvm::CallBase>(instruction) && !movable(instruction))) {
      close();
    } else if (state_ != State::outside && keepsOrder(instruction)) {
      close();
    } else {
      const bool late = comesLate(instruction);
      if (late) late_.insert(&instruction);
      row_.steps.push_back({.instruction = &instruction, .early = state_ == State::loading && !late});
    }
  }

  /// Computed from what the current exchange brought.
  bool comesLate(const llvm::Instruction& instruction) const {
    return state_ == State::loading &&
           llvm::any_of(instruction.operands(), [&](const llvm::Value* used) { return late_.contains(used); });
  }

  static bool movable(const llvm::Instruction& call) {
    const auto* const intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call);
    return intrinsic && !intrinsic->isConvergent() && intrinsic->willReturn() && !intrinsic->isLifetimeStartOrEnd();
  }

  void access(llvm::Instruction& instruction) {
    const bool isStore = llvm::isa<llvm::StoreInst>(instruction);
    if (instruction.isAtomic() || instruction.isVolatile() || (isStore && state_ == State::loading) ||
        (!isStore && (state_ != State::loading || comesLate(instruction)))) {
      close();
      return;
    }
    if (isStore && state_ == State::outside) {
      current_ = {};
      late_.clear();
      state_ = State::storing;
    }
    if (!isStore) late_.insert(&instruction);
    (isStore ? current_.stores : current_.loads).push_back(row_.steps.size());
    row_.steps.push_back(
        {.instruction = &instruction, .part = isStore ? Part::store : Part::load, .exchange = row_.exchanges.size()});
  }

  void meet(llvm::CallInst& barrier) {
    const llvm::Value* const mask = barrier.getArgOperand(0);
    const bool expected = state_ == State::loading || (state_ == State::storing && (!mask_ || mask == mask_));
    if (!expected || (state_ == State::loading && mask != mask_)) {
      // Other items from here on: what is complete is a row; this exchange is not of it.
      close();
      return;
    }
    mask_ = mask;
    row_.barriers.push_back(&barrier);
    if (state_ == State::storing) {
      state_ = State::loading;
      return;
    }
    row_.exchanges.push_back(std::move(current_));
    state_ = State::outside;
    complete_ = {row_.steps.size(), row_.barriers.size()};
    row_.end = barrier.getNextNode();
  }

  /// Ends the row behind its last complete exchange.
  void close() {
    row_.steps.resize(complete_.first);
    row_.barriers.resize(complete_.second);
    if (row_.exchanges.size() > 1) rows_.push_back(std::move(row_));
    row_ = {};
    complete_ = {};
    mask_ = nullptr;
    state_ = State::outside;
  }

  llvm::BasicBlock& block_;
  std::vector<Row> rows_;
  Row row_;
  Exchange current_;
  llvm::SmallPtrSet<const llvm::Value*, 8> late_;
  State state_ = State::outside;
  const llvm::Value* mask_ = nullptr;
  std::pair<std::size_t, std::size_t> complete_;  ///< steps and barriers up to the last complete exchange
};

/// Gives each step its level and each exchange its round.
void arrange(Row& row) {
  llvm::DenseMap<const llvm::Instruction*, unsigned> known;
  std::vector<unsigned> together(1);  // by round
  unsigned latest = 0;                // round so far
  unsigned fence = 0;                 // level before which no later access may be made
  const auto levelOf = [&](const llvm::Instruction& instruction) {
    unsigned level = 0;
    for (const llvm::Value* operand : instruction.operands()) {
      if (const auto* used = llvm::dyn_cast<llvm::Instruction>(operand)) level = std::max(level, known.lookup(used));
    }
    return level;
  };
  for (std::size_t i = 0; i < row.steps.size(); ++i) {
    Step& step = row.steps[i];
    step.level = levelOf(*step.instruction);
    if (step.part == Part::other) {
      if (keepsOrder(*step.instruction)) {
        // Exchanges keep items apart that reach each other through memory, too: none moves over an access.
        fence = step.level = std::max({step.level, latest, fence});
      }
      known[step.instruction] = step.level;
      continue;
    }
    Exchange& exchange = row.exchanges[step.exchange];
    if (step.part == Part::store) {
      if (i != exchange.stores.back()) continue;
      unsigned round = std::max(fence, step.level) + 1;
      for (const std::size_t store : exchange.stores)
        round = std::max(round, levelOf(*row.steps[store].instruction) + 1);
      // The loads' addresses, too, are to be there before.
      for (std::size_t next = i + 1; !exchange.loads.empty() && next < exchange.loads.back(); ++next) {
        const Step& ahead = row.steps[next];
        if (ahead.early) known[ahead.instruction] = levelOf(*ahead.instruction);
      }
      for (const std::size_t load : exchange.loads) round = std::max(round, levelOf(*row.steps[load].instruction) + 1);
      while (round < together.size() && together[round] == mostTogether) ++round;
      if (round >= together.size()) together.resize(round + 1);
      exchange.round = round;
      exchange.place = together[round]++;
      latest = std::max(latest, round);
      for (const std::size_t store : exchange.stores) row.steps[store].level = round - 1;
    } else {
      step.level = known[step.instruction] = exchange.round;
    }
  }
  row.rounds = latest;
  row.places = *llvm::max_element(together);
}

/// Puts the steps into the order of their levels, with one barrier for each round and one at the end.
void reorder(Row& row, std::uint64_t bytes, unsigned halves) {
  llvm::BasicBlock& block = *row.end->getParent();
  const auto at = [&](Step& step) {
    const Exchange& exchange = row.exchanges[step.exchange];
    const std::uint64_t offset = (exchange.round % 2 * halves + exchange.place) * bytes;
    const unsigned operand =
        step.part == Part::load ? llvm::LoadInst::getPointerOperandIndex() : llvm::StoreInst::getPointerOperandIndex();
    llvm::IRBuilder<> builder(step.instruction);
    llvm::Value* const pointer = step.instruction->getOperand(operand);
    if (offset == 0) return static_cast<llvm::Instruction*>(nullptr);
    llvm::Value* const place = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), pointer, offset);
    step.instruction->setOperand(operand, place);
    return llvm::dyn_cast<llvm::Instruction>(place);
  };
  std::vector<Step*> order;
  for (Step& step : row.steps) order.push_back(&step);
  std::vector<Step> barriers;
  for (unsigned round = 0; round < row.rounds; ++round)
    barriers.push_back({.instruction = row.barriers[round], .part = Part::barrier, .level = round});
  // Behind the last loads.
  barriers.push_back({.instruction = row.barriers.back(), .part = Part::load, .level = row.rounds});
  for (Step& barrier : barriers) order.push_back(&barrier);
  llvm::stable_sort(
      order, [](const Step* a, const Step* b) { return std::tie(a->level, a->part) < std::tie(b->level, b->part); });
  for (Step* step : order) {
    const bool isAccess = step->part != Part::other && !isSubgroupBarrier(*step->instruction);
    if (llvm::Instruction* const address = isAccess ? at(*step) : nullptr)
      address->moveBefore(block, row.end->getIterator());
    step->instruction->moveBefore(block, row.end->getIterator());
  }
  for (std::size_t i = row.rounds; i + 1 < row.barriers.size(); ++i) row.barriers[i]->eraseFromParent();
}

}  // namespace

bool hasExchanges(const llvm::Function& function) {
  const llvm::GlobalVariable* const variable = function.getParent()->getGlobalVariable(exchangeName, true);
  llvm::SmallVector<const llvm::Value*, 8> values;
  if (variable) values.push_back(variable);
  while (!values.empty()) {
    for (const llvm::User* const user : values.pop_back_val()->users()) {
      const auto* const instruction = llvm::dyn_cast<llvm::Instruction>(user);
      if (instruction && instruction->getFunction() == &function) return true;
      if (llvm::isa<llvm::ConstantExpr>(user)) values.push_back(user);
    }
  }
  return false;
}

void batchShuffles(llvm::Function& function) {
  std::vector<Row> rows;
  llvm::GlobalVariable* const variable = function.getParent()->getGlobalVariable(exchangeName, true);
  if (!variable) return;
  llvm::convertUsersOfConstantsToInstructions({variable}, &function);
  unsigned half = 0;
  for (llvm::BasicBlock& block : function) {
    for (Row& row : RowReader(block).run()) {
      arrange(row);
      half = std::max(half, row.places);
      rows.push_back(std::move(row));
    }
  }
  if (rows.empty()) return;
  const std::uint64_t bytes = function.getDataLayout().getTypeAllocSize(variable->getValueType()).getFixedValue();
  for (Row& row : rows) reorder(row, bytes, half);
  // Places for all, in front of which the first are the old ones.
  auto* const type = llvm::ArrayType::get(variable->getValueType(), std::uint64_t(half) * 2);
  auto* const places = new llvm::GlobalVariable(*function.getParent(), type, false, variable->getLinkage(),
                                                llvm::UndefValue::get(type), std::string(exchangeName) + "s", variable,
                                                variable->getThreadLocalMode(), variable->getAddressSpace());
  places->setAlignment(variable->getAlign());
  variable->replaceUsesWithIf(places, [&](const llvm::Use& use) {
    const auto* const user = llvm::dyn_cast<llvm::Instruction>(use.getUser());
    return user && user->getFunction() == &function;
  });
}

}  // namespace lathe::detail
