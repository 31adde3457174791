// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fields of bits that are taken out twice, because that costs two instructions and saves a register.
#include "targets/cuda/pressure/bit_fields.h"

#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

#include "targets/cuda/pressure/far_uses.h"
#include "targets/cuda/pressure/live_registers.h"

namespace lathe::targets {
namespace {

using namespace llvm::PatternMatch;

constexpr unsigned fieldBits = 32;
/// Fields at one place of their words that must be saved if its mask is kept for them.
constexpr std::ptrdiff_t worthMask = 4;

/// The bits of words of one type that fields of 32 bits are.
struct Place {
  llvm::Value* below = nullptr;  ///< how many there are below them, in that type
  llvm::Value* ones = nullptr;   ///< as many ones as there are
  bool operator==(const Place&) const = default;
};

/// A field of `word`, and its uses in other blocks.
struct Field {
  llvm::Instruction* value = nullptr;
  llvm::Value* word = nullptr;
  llvm::Constant* turned = nullptr;  ///< ones for the bits of the word that are turned over first; null: none
  FarUses::Places far;
};

/// The fields at one place, in the function's order.
class FieldsAt {
 public:
  explicit FieldsAt(const Place& place) : place_(place) {}

  [[nodiscard]] bool isAt(const Place& place) const { return place_ == place; }
  void add(Field field) { fields_.push_back(std::move(field)); }

  /// True if what stands before the first of many is there wherever one of them is used.
  [[nodiscard]] bool isWorthMask(const llvm::DominatorTree& dominators) const {
    const auto hasMask = [&, first = home()](const llvm::BasicBlock* block) {
      return dominators.dominates(first, block);
    };
    return fields_.size() >= worthMask && llvm::all_of(fields_, [&](const Field& field) {
             return hasMask(field.value->getParent()) &&
                    llvm::all_of(field.far, [&](const auto& place) { return hasMask(place.first); });
           });
  }

  void takeAgain() {
    llvm::IRBuilder<> builder(fields_.front().value);
    ones_ = builder.CreateZExt(place_.ones, place_.below->getType());
    mask_ = builder.CreateShl(ones_, place_.below);
    for (const Field& field : fields_) {
      for (const auto& [block, uses] : field.far) {
        llvm::Value* const made = masked(field, *FarUses::firstOf(*block, uses));
        for (llvm::Use* use : uses) use->set(made);
      }
      // What LLVM has twice, as the word went through a phi, is one to the assembler.
      if (field.value->getParent() != home()) field.value->replaceAllUsesWith(masked(field, *field.value));
    }
  }

 private:
  [[nodiscard]] const llvm::BasicBlock* home() const { return fields_.front().value->getParent(); }

  /// The field by the mask first, in front of `place`.
  llvm::Value* masked(const Field& field, llvm::Instruction& place) const {
    llvm::IRBuilder<> builder(&place);
    llvm::Value* made = builder.CreateLShr(builder.CreateAnd(field.word, mask_), place_.below);
    if (field.turned)
      made = builder.CreateXor(made, builder.CreateAnd(builder.CreateLShr(field.turned, place_.below), ones_));
    return builder.CreateTrunc(made, field.value->getType());
  }

  Place place_;
  std::vector<Field> fields_;
  llvm::Value *ones_ = nullptr, *mask_ = nullptr;  ///< the ones in the words' type, and in their place
};

}  // namespace

bool takeFieldsAgain(llvm::Function& function, const LiveRegisters& lives) {
  const FarUses far(function, lives);
  const auto isNoPhi = [](const llvm::Use& use) { return !llvm::isa<llvm::PHINode>(use.getUser()); };
  std::vector<FieldsAt> all;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    Field field;
    field.value = &instruction;
    Place place;
    const auto shifted = m_LShr(m_Value(field.word), m_Value(place.below));
    if (!instruction.getType()->isIntegerTy(fieldBits) ||
        !match(&instruction, m_c_And(m_TruncOrSelf(shifted), m_Value(place.ones))))
      continue;
    // Known places are the code generator's, which has better ways to them.
    if (llvm::isa<llvm::Constant>(place.below)) continue;
    llvm::Value* word = nullptr;
    llvm::Constant* turned = nullptr;
    if (match(field.word, m_Xor(m_Value(word), m_Constant(turned)))) {
      field.word = word;
      field.turned = turned;
    }
    // What the word was made of is kept as well, as a float beside the number by which it is sorted.
    if (llvm::isa<llvm::BinaryOperator, llvm::SelectInst>(field.word)) continue;
    if (lives.crossesCrowd(instruction))
      if (auto found = far.of(instruction, *field.word, isNoPhi)) field.far = *std::move(found);
    auto known = llvm::find_if(all, [&](const FieldsAt& one) { return one.isAt(place); });
    if (known == all.end()) known = all.insert(known, FieldsAt(place));
    known->add(std::move(field));
  }
  bool changed = false;
  for (FieldsAt& fields : all) {
    if (!fields.isWorthMask(far.dominators())) continue;
    fields.takeAgain();
    changed = true;
  }
  return changed;
}

}  // namespace lathe::targets
