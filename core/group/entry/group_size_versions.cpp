// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two kinds of evidence: factors of group ids in sums with item ids, and the lengths of shared arrays.
#include "core/group/entry/group_size_versions.h"

#include <algorithm>

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

#include "core/group/analysis/device_calls.h"

namespace lathe::detail {
namespace {

/// Sizes for which known loops pay: a vector at least, and what a device can run.
constexpr std::uint64_t leastSize = 2, mostItems = 1024;
/// Shorter arrays are often for the subgroups of a group.
constexpr std::uint64_t leastArray = 64;

const llvm::Value& withoutExtension(const llvm::Value& value) {
  const auto* const cast = llvm::dyn_cast<llvm::CastInst>(&value);
  return llvm::isa_and_nonnull<llvm::ZExtInst, llvm::SExtInst>(cast) ? *cast->getOperand(0) : value;
}

bool isItemId(const llvm::Value& value, unsigned axis) {
  const auto* const id = llvm::dyn_cast<llvm::Instruction>(&withoutExtension(value));
  return id && itemIdAxisOf(*id) == axis;
}

/// The constant of `group id × constant + item id`, or 0.
std::uint64_t factorIn(const llvm::Instruction& sum, const llvm::Argument& groupId, unsigned axis) {
  using namespace llvm::PatternMatch;
  for (const unsigned i : {0U, 1U}) {
    const llvm::Value& product = withoutExtension(*sum.getOperand(i));
    if (!isItemId(*sum.getOperand(1 - i), axis)) continue;
    const auto id = m_ZExtOrSExtOrSelf(m_Specific(&groupId));
    std::uint64_t factor = 0;
    if (match(&product, m_Mul(id, m_ConstantInt(factor)))) return factor;
    if (match(&product, m_Shl(id, m_ConstantInt(factor)))) return factor < 32 ? std::uint64_t{1} << factor : 0;
  }
  return 0;
}

/// Elements of the group-shared array that `address` indexes by the item id along x alone, or 0.
std::uint64_t elementsIndexed(const llvm::GetElementPtrInst& address, unsigned groupSpace) {
  const auto* const array =
      llvm::dyn_cast<llvm::GlobalVariable>(address.getPointerOperand()->stripPointerCastsAndAliases());
  if (!array || array->getAddressSpace() != groupSpace || array->isDeclaration()) return 0;
  if (!isItemId(**(address.idx_end() - 1), 0)) return 0;
  const llvm::DataLayout& layout = address.getDataLayout();
  const std::uint64_t element = layout.getTypeAllocSize(address.getResultElementType()).getFixedValue();
  return element == 0 ? 0 : layout.getTypeAllocSize(array->getValueType()).getFixedValue() / element;
}

}  // namespace

std::optional<GroupSizeVersion> versionedGroupSize(const GroupFunction& group, unsigned groupSpace) {
  std::array<std::uint64_t, 3> factors{};
  std::array<bool, 3> used{};
  std::uint64_t elements = 0;
  for (unsigned axis = 0; axis < 3; ++axis) used[axis] = !group.groupId[axis]->use_empty();
  for (const llvm::Instruction& instruction : llvm::instructions(*group.function)) {
    if (const auto axis = itemIdAxisOf(instruction)) used[*axis] = true;
    if (const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction))
      elements = std::max(elements, elementsIndexed(*address, groupSpace));
    if (instruction.getOpcode() != llvm::Instruction::Add) continue;
    for (unsigned axis = 0; axis < 3; ++axis) {
      const std::uint64_t factor = factorIn(instruction, *group.groupId[axis], axis);
      if (factor != 0 && factors[axis] != 0 && factors[axis] != factor) return std::nullopt;
      if (factor != 0) factors[axis] = factor;
    }
  }
  GroupSizeVersion out;
  out.certain = factors[0] != 0;
  // Scans keep the sum behind the last of their elements.
  if (llvm::isPowerOf2_64(elements - 1)) --elements;
  const bool isGuess = factors[0] == 0 && !used[1] && !used[2] && elements >= leastArray;
  if (isGuess && !isLarge(group)) factors[0] = elements;
  std::uint64_t items = 1;
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (factors[axis] > mostItems || (factors[axis] == 0 && used[axis])) return std::nullopt;
    out.items[axis] = static_cast<std::uint32_t>(std::max<std::uint64_t>(1, factors[axis]));
    items *= out.items[axis];
  }
  // Of groups in two dimensions LLVM takes the loops over rows apart: a tiled matrix product lost 18 % by it.
  if (out.items[0] < leastSize || items > mostItems || items != out.items[0]) return std::nullopt;
  return out;
}

}  // namespace lathe::detail
