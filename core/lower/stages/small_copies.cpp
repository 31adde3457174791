// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage small_copies: a copy of 4, 8 or 16 bytes becomes one load and one store, where memory is aligned for it. SROA
// cuts a memcpy at the fields that are used by name, and what is left of it becomes accesses of other widths to the
// same bytes. The vector's elements are as wide as the structure's fields, so that SROA promotes a local structure to
// that vector and its fields to elements.
//
//   before: call void @llvm.memcpy(ptr align 16 %v, ptr align 16 %p, i64 16, i1 false)
//   after:  %0 = load <4 x i32>, ptr %p, align 16    store <4 x i32> %0, ptr %v, align 16
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"

#include "core/lower/legalize/legalize.h"
#include "core/lower/lowering.h"
#include "core/lower/stages.h"

namespace lathe::detail {
namespace {

/// As fieldSize(), of a copy's `!tbaa.struct`: offset, size and tag of each field.
std::uint64_t copiedFieldSize(const llvm::MDNode& fields) {
  std::uint64_t size = 0;
  for (unsigned i = 0; i + 2 < fields.getNumOperands(); i += 3) {
    const auto* const own = llvm::mdconst::dyn_extract<llvm::ConstantInt>(fields.getOperand(i + 1));
    if (!own || own->isZero() || (size != 0 && own->getZExtValue() != size)) return 0;
    size = own->getZExtValue();
  }
  return size;
}

/// The type that a copy of `bytes` moves, or null to leave it alone.
llvm::Type* movedType(const llvm::MemCpyInst& copy, std::uint64_t bytes) {
  const llvm::DataLayout& layout = copy.getDataLayout();
  const auto* const to = llvm::dyn_cast<llvm::AllocaInst>(copy.getRawDest()->stripPointerCasts());
  const auto* const from = llvm::dyn_cast<llvm::AllocaInst>(copy.getRawSource()->stripPointerCasts());
  std::uint64_t field = 4;
  if (const llvm::MDNode* fields = copy.getMetadata(llvm::LLVMContext::MD_tbaa_struct))
    field = copiedFieldSize(*fields);
  else if (to || from)
    field = fieldSize(layout, (to ? to : from)->getAllocatedType());
  // A register of 16 bytes is one of the words that a target has registers for.
  if (field == 0 || field > 8 || bytes % field != 0 || (bytes == 16 && field < 4)) return nullptr;
  llvm::Type* const element = llvm::IntegerType::get(copy.getContext(), static_cast<unsigned>(field * 8));
  // InstCombine makes up to 8 bytes one integer, wherever they lie: as fields they are no worse.
  const std::uint64_t aligned = bytes == 8 ? field : bytes;
  if (!to && copy.getDestAlign().valueOrOne() < aligned) return nullptr;
  if (!from && copy.getSourceAlign().valueOrOne() < aligned) return nullptr;
  if (field == bytes) return element;
  return llvm::FixedVectorType::get(element, static_cast<unsigned>(bytes / field));
}

void moveAtOnce(llvm::MemCpyInst& copy) {
  const auto* const length = llvm::dyn_cast<llvm::ConstantInt>(copy.getLength());
  if (!length || copy.isVolatile()) return;
  const std::uint64_t bytes = length->getZExtValue();
  llvm::Type* const type = bytes == 4 || bytes == 8 || bytes == 16 ? movedType(copy, bytes) : nullptr;
  if (type) copyByPieces(copy, CopyPiece{0, type});
}

}  // namespace

llvm::Error stage::smallCopies(Lowering& lowering) {
  for (llvm::Function& function : *lowering.module) {
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      if (auto* const copy = llvm::dyn_cast<llvm::MemCpyInst>(&instruction)) moveAtOnce(*copy);
    }
  }
  return llvm::Error::success();
}

}  // namespace lathe::detail
