// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Local variables between which control flow and conditions choose.
#include "core/lower/passes/choices/loads_of_choices.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

#include "core/lower/passes/choices/choices.h"

namespace lathe::detail {
namespace {

/// Most scalars of a structure that is copied by its fields.
constexpr std::size_t mostFields = 64;

struct Field {
  std::uint64_t offset = 0;
  llvm::Type* type = nullptr;
};
using Fields = llvm::SmallVector<Field, mostFields>;

/// What is at `address`: a local variable, and where in it; null: something else, or no constant place.
struct LocalPlace {
  const llvm::AllocaInst* variable = nullptr;
  std::uint64_t offset = 0;
};
LocalPlace localPlace(const llvm::DataLayout& layout, const llvm::Value* address) {
  llvm::APInt offset(layout.getIndexTypeSizeInBits(address->getType()), 0);
  const auto* const variable =
      llvm::dyn_cast<llvm::AllocaInst>(address->stripAndAccumulateConstantOffsets(layout, offset, true));
  return variable && !offset.isNegative() ? LocalPlace{variable, offset.getZExtValue()} : LocalPlace{};
}

/// Whether the bytes up to `end` of all that `choice` may be are of local variables, and so may be loaded from each
/// wherever its address is known.
bool isAmongLocalVariables(const llvm::DataLayout& layout, const llvm::Value* choice, std::uint64_t end) {
  if (const auto* const select = llvm::dyn_cast<llvm::SelectInst>(choice)) {
    return isAmongLocalVariables(layout, select->getTrueValue(), end) &&
           isAmongLocalVariables(layout, select->getFalseValue(), end);
  }
  const LocalPlace place = localPlace(layout, choice);
  const auto size = place.variable ? place.variable->getAllocationSize(layout) : std::nullopt;
  return size && !size->isScalable() && place.offset + end <= size->getFixedValue();
}

bool areAmongLocalVariables(const llvm::Instruction& choice, std::uint64_t end) {
  const llvm::DataLayout& layout = choice.getDataLayout();
  const auto* const phi = llvm::dyn_cast<llvm::PHINode>(&choice);
  if (!phi) return isAmongLocalVariables(layout, &choice, end);
  return llvm::all_of(phi->incoming_values(),
                      [&](const llvm::Use& value) { return isAmongLocalVariables(layout, value.get(), end); });
}

/// Adds the scalars of a `type` at `offset`; false: there are more than are copied one by one.
bool addFields(const llvm::DataLayout& layout, llvm::Type* type, std::uint64_t offset, Fields& out) {
  if (auto* const structure = llvm::dyn_cast<llvm::StructType>(type)) {
    const llvm::StructLayout* const places = layout.getStructLayout(structure);
    for (unsigned i = 0; i < structure->getNumElements(); ++i) {
      const std::uint64_t at = offset + places->getElementOffset(i).getFixedValue();
      if (!addFields(layout, structure->getElementType(i), at, out)) return false;
    }
    return true;
  }
  if (auto* const array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    if (array->getNumElements() > mostFields) return false;
    const std::uint64_t size = layout.getTypeAllocSize(array->getElementType());
    for (unsigned i = 0; i < array->getNumElements(); ++i)
      if (!addFields(layout, array->getElementType(), offset + i * size, out)) return false;
    return true;
  }
  out.push_back({offset, type});
  return out.size() <= mostFields;
}

/// Any of the variables that `choice` may be.
const llvm::Value* someVariable(const llvm::Value* choice) {
  while (true) {
    if (const auto* const phi = llvm::dyn_cast<llvm::PHINode>(choice))
      choice = phi->getIncomingValue(0);
    else if (const auto* const select = llvm::dyn_cast<llvm::SelectInst>(choice))
      choice = select->getTrueValue();
    else
      return choice;
  }
}

/// Adds the bytes from `begin` to `end` as integers: between the fields of the type are those of other members of a
/// union.
void addBytes(llvm::LLVMContext& context, std::uint64_t begin, std::uint64_t end, Fields& out) {
  constexpr std::uint64_t widest = 8;
  while (begin < end && out.size() <= mostFields) {
    const std::uint64_t size = std::min(llvm::bit_floor(end - begin), llvm::MinAlign(begin, widest));
    out.push_back({begin, llvm::IntegerType::get(context, static_cast<unsigned>(size) * 8)});
    begin += size;
  }
}

/// What `copy` copies of what is chosen, by the fields of its type; none: it is no copy of few whole fields.
Fields copiedFields(const llvm::MemCpyInst& copy) {
  const llvm::DataLayout& layout = copy.getDataLayout();
  const auto* const length = llvm::dyn_cast<llvm::ConstantInt>(copy.getLength());
  const LocalPlace place = localPlace(layout, someVariable(copy.getRawSource()));
  Fields all;
  if (!length || copy.isVolatile() || !place.variable || !addFields(layout, place.variable->getAllocatedType(), 0, all))
    return {};
  Fields copied;
  std::uint64_t done = place.offset;
  const std::uint64_t end = place.offset + length->getZExtValue();
  for (const Field& field : all) {
    const std::uint64_t behind = field.offset + layout.getTypeStoreSize(field.type).getFixedValue();
    if (behind <= place.offset || field.offset >= end) continue;
    if (field.offset < done || behind > end) return {};
    addBytes(copy.getContext(), done, field.offset, copied);
    copied.push_back(field);
    done = behind;
  }
  addBytes(copy.getContext(), done, end, copied);
  if (copied.size() > mostFields) return {};
  for (Field& field : copied) field.offset -= place.offset;
  return copied;
}

/// Whether memory is at `instruction` what it was at the block's begin.
bool isFirstInBlock(const llvm::Instruction& instruction) {
  for (const llvm::Instruction& before : *instruction.getParent()) {
    if (&before == &instruction) return true;
    if (before.mayWriteToMemory() && !before.isLifetimeStartOrEnd()) return false;
  }
  return false;
}

/// A simple load from a constant place behind `choice`.
bool isMovable(const llvm::PHINode& choice, const llvm::User* user, std::uint64_t offset) {
  const auto* const load = llvm::dyn_cast<llvm::LoadInst>(user);
  if (!load || !load->isSimple() || load->getParent() != choice.getParent() || !isFirstInBlock(*load)) return false;
  const llvm::TypeSize bytes = load->getDataLayout().getTypeStoreSize(load->getType());
  return !bytes.isScalable() && areAmongLocalVariables(choice, offset + bytes.getFixedValue());
}

std::optional<std::uint64_t> constantOffset(const llvm::User* user) {
  const auto* const member = llvm::dyn_cast<llvm::GetElementPtrInst>(user);
  if (!member) return std::nullopt;
  const llvm::DataLayout& layout = member->getDataLayout();
  llvm::APInt offset(layout.getIndexTypeSizeInBits(member->getType()), 0);
  if (!member->accumulateConstantOffset(layout, offset) || offset.isNegative()) return std::nullopt;
  return offset.getZExtValue();
}

/// Whether all that is done with the chosen address is to load from it in a way that can be done before.
bool isOnlyLoaded(const llvm::PHINode& choice) {
  return llvm::all_of(choice.users(), [&](const llvm::User* user) {
    const auto offset = constantOffset(user);
    if (!offset) return isMovable(choice, user, 0);
    return llvm::all_of(user->users(), [&](const llvm::User* loaded) { return isMovable(choice, loaded, *offset); });
  });
}

/// What is not chosen is loaded as well, and need not be as aligned as the program's `align` says of what is.
llvm::Value* loadChosen(llvm::IRBuilder<>& builder, llvm::Value* address, std::uint64_t offset, llvm::Type* type,
                        llvm::Align align) {
  if (auto* const select = llvm::dyn_cast<llvm::SelectInst>(address)) {
    llvm::Value* const first = loadChosen(builder, select->getTrueValue(), offset, type, align);
    llvm::Value* const second = loadChosen(builder, select->getFalseValue(), offset, type, align);
    return builder.CreateSelect(select->getCondition(), first, second);
  }
  llvm::Value* const place =
      offset ? builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), address, offset) : address;
  const llvm::DataLayout& layout = builder.GetInsertBlock()->getModule()->getDataLayout();
  return builder.CreateAlignedLoad(type, place, std::min(align, place->getPointerAlignment(layout)));
}

void loadWhereChosen(llvm::PHINode& choice, std::uint64_t offset, llvm::LoadInst& load) {
  chooseInstead(choice, load, [&](llvm::IRBuilder<>& builder, llvm::Value* address) {
    return loadChosen(builder, address, offset, load.getType(), load.getAlign());
  });
}

/// Loads all of the fields, and then stores them: what is chosen may be what is written.
void copyByFields(llvm::MemCpyInst& copy, const Fields& fields) {
  llvm::IRBuilder<> builder(&copy);
  const llvm::Align from = copy.getSourceAlign().valueOrOne(), to = copy.getDestAlign().valueOrOne();
  llvm::SmallVector<llvm::Value*, mostFields> values;
  for (const Field& field : fields) {
    // A phi's is loaded where it is chosen, as other loads from it are.
    values.push_back(
        loadChosen(builder, copy.getRawSource(), field.offset, field.type, llvm::commonAlignment(from, field.offset)));
  }
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const std::uint64_t offset = fields[i].offset;
    llvm::Value* const place = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), copy.getRawDest(), offset);
    builder.CreateAlignedStore(values[i], place, llvm::commonAlignment(to, offset));
  }
  copy.eraseFromParent();
}

bool copyChoicesByFields(llvm::Function& function) {
  llvm::SmallVector<llvm::MemCpyInst*> copies;
  for (llvm::BasicBlock& block : function) {
    for (llvm::Instruction& instruction : block) {
      auto* const copy = llvm::dyn_cast<llvm::MemCpyInst>(&instruction);
      const auto* const length = copy ? llvm::dyn_cast<llvm::ConstantInt>(copy->getLength()) : nullptr;
      if (!length || !llvm::isa<llvm::PHINode, llvm::SelectInst>(copy->getRawSource())) continue;
      const auto& choice = llvm::cast<llvm::Instruction>(*copy->getRawSource());
      if (llvm::isa<llvm::PHINode>(choice) && (choice.getParent() != &block || !isFirstInBlock(*copy))) continue;
      if (areAmongLocalVariables(choice, length->getZExtValue())) copies.push_back(copy);
    }
  }
  bool changed = false;
  for (llvm::MemCpyInst* const copy : copies) {
    const Fields fields = copiedFields(*copy);
    if (fields.empty()) continue;
    copyByFields(*copy, fields);
    changed = true;
  }
  return changed;
}

}  // namespace

llvm::PreservedAnalyses LoadsOfChoices::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  bool changed = copyChoicesByFields(function);
  llvm::SmallVector<llvm::PHINode*> choices;
  for (llvm::BasicBlock& block : function) {
    for (llvm::PHINode& phi : block.phis())
      if (phi.getType()->isPointerTy() && !phi.use_empty() && isOnlyLoaded(phi)) choices.push_back(&phi);
  }
  for (llvm::PHINode* const choice : choices) {
    for (llvm::User* const user : llvm::make_early_inc_range(choice->users())) {
      const auto offset = constantOffset(user);
      if (!offset) {
        loadWhereChosen(*choice, 0, *llvm::cast<llvm::LoadInst>(user));
        continue;
      }
      for (llvm::User* const load : llvm::make_early_inc_range(user->users()))
        loadWhereChosen(*choice, *offset, *llvm::cast<llvm::LoadInst>(load));
      llvm::cast<llvm::Instruction>(user)->eraseFromParent();
    }
    choice->eraseFromParent();
    changed = true;
  }
  return changed ? llvm::PreservedAnalyses::allInSet<llvm::CFGAnalyses>() : llvm::PreservedAnalyses::all();
}

}  // namespace lathe::detail
