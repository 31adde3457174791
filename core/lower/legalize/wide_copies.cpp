// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies of structures that simplification left become loads and stores as wide as their alignment permits, at most 16
// bytes, for back ends that copy eight bytes at once and load each behind the store before it. Of a load such a back
// end can also tell that nobody writes there.
//
//   before: call void @llvm.memcpy(ptr align 16 %q, ptr align 16 %p, i64 32, i1 false)
//   after:  %0 = load <4 x i32>, ptr %p, align 16     %1 = load <4 x i32>, ptr %p.16, align 16
//           store <4 x i32> %0, ptr %q, align 16      store <4 x i32> %1, ptr %q.16, align 16
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Metadata.h"

#include "core/lower/legalize/legalize.h"

namespace lathe::detail {
namespace {

constexpr std::uint64_t widest = 16;
constexpr std::uint64_t mostBytes = 128;
/// Accesses that a copy may become; a longer one is a loop's affair.
constexpr std::size_t mostPieces = 16;

llvm::Type* typeOf(llvm::LLVMContext& context, std::uint64_t bytes) {
  if (bytes <= 8) return llvm::IntegerType::get(context, static_cast<unsigned>(bytes * 8));
  return llvm::FixedVectorType::get(llvm::Type::getInt32Ty(context), static_cast<unsigned>(bytes / 4));
}

/// The accesses of a copy, or none to leave it alone.
llvm::SmallVector<CopyPiece> piecesOf(const llvm::MemCpyInst& copy) {
  const auto* const length = llvm::dyn_cast<llvm::ConstantInt>(copy.getLength());
  if (!length || copy.isVolatile() || length->getValue().ugt(mostBytes)) return {};
  const std::uint64_t bytes = length->getZExtValue();
  const std::uint64_t aligned =
      std::min({widest, copy.getDestAlign().valueOrOne().value(), copy.getSourceAlign().valueOrOne().value()});
  llvm::SmallVector<CopyPiece> pieces;
  for (std::uint64_t at = 0; at < bytes;) {
    const std::uint64_t size = std::min(aligned, llvm::bit_floor(bytes - at));
    pieces.push_back({at, typeOf(copy.getContext(), size)});
    at += size;
  }
  if (pieces.size() > mostPieces) pieces.clear();
  return pieces;
}

}  // namespace

void copyByPieces(llvm::MemCpyInst& copy, llvm::ArrayRef<CopyPiece> pieces) {
  llvm::IRBuilder<> builder(&copy);
  const llvm::DataLayout& layout = copy.getDataLayout();
  const llvm::AAMDNodes aliasing = copy.getAAMetadata();
  const auto access = [&](llvm::Instruction& made, const CopyPiece& piece) {
    llvm::AAMDNodes own = aliasing;
    made.setAAMetadata(own.adjustForAccess(piece.offset, piece.type, layout));
  };
  const auto placeIn = [&](llvm::Value* memory, const CopyPiece& piece) {
    return piece.offset == 0 ? memory : builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), memory, piece.offset);
  };
  llvm::SmallVector<llvm::LoadInst*> values;
  for (const CopyPiece& piece : pieces) {
    values.push_back(
        builder.CreateAlignedLoad(piece.type, placeIn(copy.getRawSource(), piece),
                                  llvm::commonAlignment(copy.getSourceAlign().valueOrOne(), piece.offset)));
    access(*values.back(), piece);
  }
  for (const auto& [piece, value] : llvm::zip_equal(pieces, values)) {
    llvm::StoreInst* const store =
        builder.CreateAlignedStore(value, placeIn(copy.getRawDest(), piece),
                                   llvm::commonAlignment(copy.getDestAlign().valueOrOne(), piece.offset));
    access(*store, piece);
  }
  copy.eraseFromParent();
}

void widenCopies(llvm::Function& function) {
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto* const copy = llvm::dyn_cast<llvm::MemCpyInst>(&instruction);
    if (!copy) continue;
    if (const auto pieces = piecesOf(*copy); !pieces.empty()) copyByPieces(*copy, pieces);
  }
}

}  // namespace lathe::detail
