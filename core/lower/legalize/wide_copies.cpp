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

struct Piece {
  std::uint64_t offset;
  llvm::Type* type;
};

llvm::Type* typeOf(llvm::LLVMContext& context, std::uint64_t bytes) {
  if (bytes <= 8) return llvm::IntegerType::get(context, static_cast<unsigned>(bytes * 8));
  return llvm::FixedVectorType::get(llvm::Type::getInt32Ty(context), static_cast<unsigned>(bytes / 4));
}

/// The accesses of a copy, or none to leave it alone.
llvm::SmallVector<Piece> piecesOf(const llvm::MemCpyInst& copy) {
  const auto* const length = llvm::dyn_cast<llvm::ConstantInt>(copy.getLength());
  if (!length || copy.isVolatile() || length->getValue().ugt(mostBytes)) return {};
  const std::uint64_t bytes = length->getZExtValue();
  const std::uint64_t aligned =
      std::min({widest, copy.getDestAlign().valueOrOne().value(), copy.getSourceAlign().valueOrOne().value()});
  llvm::SmallVector<Piece> pieces;
  for (std::uint64_t at = 0; at < bytes;) {
    const std::uint64_t size = std::min(aligned, llvm::bit_floor(bytes - at));
    pieces.push_back({at, typeOf(copy.getContext(), size)});
    at += size;
  }
  if (pieces.size() > mostPieces) pieces.clear();
  return pieces;
}

void widen(llvm::MemCpyInst& copy) {
  const llvm::SmallVector<Piece> pieces = piecesOf(copy);
  if (pieces.empty()) return;
  llvm::IRBuilder<> builder(&copy);
  const llvm::DataLayout& layout = copy.getDataLayout();
  const llvm::AAMDNodes aliasing = copy.getAAMetadata();
  const auto access = [&](llvm::Instruction& made, const Piece& piece) {
    llvm::AAMDNodes own = aliasing;
    made.setAAMetadata(own.adjustForAccess(piece.offset, piece.type, layout));
  };
  llvm::SmallVector<llvm::Value*> values;
  for (const Piece& piece : pieces) {
    llvm::Value* const from =
        builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), copy.getRawSource(), piece.offset);
    llvm::LoadInst* const load = builder.CreateAlignedLoad(
        piece.type, from, llvm::commonAlignment(copy.getSourceAlign().valueOrOne(), piece.offset));
    access(*load, piece);
    values.push_back(load);
  }
  for (const auto& [piece, value] : llvm::zip_equal(pieces, values)) {
    llvm::Value* const to = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), copy.getRawDest(), piece.offset);
    access(
        *builder.CreateAlignedStore(value, to, llvm::commonAlignment(copy.getDestAlign().valueOrOne(), piece.offset)),
        piece);
  }
  copy.eraseFromParent();
}

}  // namespace

void widenCopies(llvm::Function& function) {
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    if (auto* const copy = llvm::dyn_cast<llvm::MemCpyInst>(&instruction)) widen(*copy);
  }
}

}  // namespace lathe::detail
