// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads and stores of integers of widths that no device has. Clang makes them for bit-fields of packed structures. The
// value is put together from its parts, in a width that widenIntegers() and splitWideIntegers() then take care of.
//
//   before: %x = load i24, ptr %p, align 1
//   after:  %a = load i16, ptr %p, align 1    %b = load i8, ptr (%p + 2), align 1
//           %x = or (zext %a), (shl (zext %b), 16)
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/MathExtras.h"

#include "core/lower/legalize/legalize.h"

namespace lathe::detail {
namespace {

constexpr unsigned byteBits = 8, widestPart = 8, widestValue = 128;

bool isOddAccess(const llvm::Instruction& instruction) {
  if (!llvm::isa<llvm::LoadInst, llvm::StoreInst>(instruction) || instruction.isAtomic()) return false;
  const llvm::Type* const type = llvm::getLoadStoreType(&instruction);
  const unsigned width = type->isIntegerTy() ? type->getIntegerBitWidth() : 1;
  return width > 1 && width < widestValue && (width < byteBits || !llvm::isPowerOf2_32(width));
}

/// Calls `access` for each part with its bytes from the address on, its type and the bits below it in the value.
template <class Access>
void forParts(const llvm::DataLayout& layout, llvm::LLVMContext& context, unsigned bytes, const Access& access) {
  for (unsigned at = 0; at < bytes;) {
    const unsigned size = llvm::bit_floor(std::min(bytes - at, widestPart));
    const unsigned below = layout.isLittleEndian() ? at : bytes - at - size;
    access(at, llvm::Type::getIntNTy(context, size * byteBits), below * byteBits);
    at += size;
  }
}

void splitAccess(llvm::Instruction& old) {
  llvm::IRBuilder<> b(&old);
  const llvm::DataLayout& layout = old.getDataLayout();
  llvm::Type* const type = llvm::getLoadStoreType(&old);
  llvm::Value* const pointer = llvm::getPointerOperand(&old);
  const llvm::Align align = llvm::getLoadStoreAlignment(&old);
  const auto bytes = static_cast<unsigned>(layout.getTypeStoreSize(type).getFixedValue());
  llvm::Type* const whole = b.getIntNTy(bytes * byteBits);
  auto* const store = llvm::dyn_cast<llvm::StoreInst>(&old);
  const bool isVolatile = old.isVolatile();
  llvm::Value* value = store ? b.CreateZExt(store->getValueOperand(), whole) : nullptr;
  forParts(layout, old.getContext(), bytes, [&](unsigned at, llvm::Type* part, unsigned below) {
    llvm::Value* const place = at == 0 ? pointer : b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), pointer, at);
    const llvm::Align partAlign = llvm::commonAlignment(align, at);
    const llvm::AAMDNodes aliasing = old.getAAMetadata().adjustForAccess(at, part, layout);
    if (store) {
      b.CreateAlignedStore(b.CreateTrunc(b.CreateLShr(value, below), part), place, partAlign, isVolatile)
          ->setAAMetadata(aliasing);
      return;
    }
    llvm::LoadInst* const loaded = b.CreateAlignedLoad(part, place, partAlign, isVolatile);
    loaded->setAAMetadata(aliasing);
    llvm::Value* const placed = b.CreateShl(b.CreateZExt(loaded, whole), below);
    value = value ? b.CreateOr(value, placed) : placed;
  });
  if (!store) old.replaceAllUsesWith(b.CreateTrunc(value, type));
  old.eraseFromParent();
}

}  // namespace

void splitOddAccesses(llvm::Function& function) {
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    if (isOddAccess(instruction)) splitAccess(instruction);
  }
}

}  // namespace lathe::detail
