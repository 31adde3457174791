// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies of structures that simplification left become loads and stores as wide as their alignment permits, at most 16
// bytes, for back ends that copy eight bytes at once and load each behind the store before it. Of a load such a back
// end can also tell that nobody writes there.
//
//   before: call void @llvm.memcpy(ptr align 16 %q, ptr align 16 %p, i64 32, i1 false)
//   after:  %0 = load <4 x i32>, ptr %p, align 16     %1 = load <4 x i32>, ptr %p.16, align 16
//           store <4 x i32> %0, ptr %q, align 16      store <4 x i32> %1, ptr %q.16, align 16
//
// What is longer than such a back end writes out, and a loop over bytes in its hands, is copied by several loads and
// then as many stores at a time, in a loop where there would be very many. Memory that is no local array is set alike.
//
// A local array that is set to one byte is stored by whole elements, several at once. Such a back end sets eight bytes
// at once, and more than 128 of them one by one; an assembler that could keep the array in registers does so only if no
// access is wider than its elements but as a vector of them.
//
//   before: %r = alloca [8 x float]   call void @llvm.memset(ptr %r, i8 0, i64 32, i1 false)
//   after:  store <4 x i32> zeroinitializer, ptr %r, align 16   store <4 x i32> zeroinitializer, ptr %r.16, align 16
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Metadata.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

#include "core/lower/legalize/legalize.h"

namespace lathe::detail {
namespace {

constexpr std::uint64_t widest = 16;
/// Stores that the setting of a local array may become; a longer one is a loop's affair.
constexpr std::size_t mostPieces = 16;
/// The same for accesses of a copy, and of other memory: NVIDIA's compiler writes as many out.
constexpr std::uint64_t mostAccesses = 128;
/// Values of a copy that are in registers at once.
constexpr std::size_t atOnce = 16;

llvm::Type* typeOf(llvm::LLVMContext& context, std::uint64_t bytes) {
  if (bytes <= 8) return llvm::IntegerType::get(context, static_cast<unsigned>(bytes * 8));
  return llvm::FixedVectorType::get(llvm::Type::getInt32Ty(context), static_cast<unsigned>(bytes / 4));
}

/// The accesses for `bytes` of memory with that alignment.
llvm::SmallVector<CopyPiece> piecesOf(llvm::LLVMContext& context, std::uint64_t bytes, std::uint64_t aligned) {
  llvm::SmallVector<CopyPiece> pieces;
  for (std::uint64_t at = 0; at < bytes;) {
    const std::uint64_t size = std::min(aligned, llvm::bit_floor(bytes - at));
    pieces.push_back({at, typeOf(context, size)});
    at += size;
  }
  return pieces;
}

/// Makes `builder` insert into a loop that is taken `count` times. Returns the offset of an iteration that has `step`
/// bytes.
llvm::Value* openLoop(llvm::IRBuilder<>& builder, std::uint64_t count, std::uint64_t step) {
  const auto [body, index] = llvm::SplitBlockAndInsertSimpleForLoop(builder.getInt64(count), builder.GetInsertPoint());
  builder.SetInsertPoint(body);
  return builder.CreateMul(index, builder.getInt64(step), "", /*HasNUW=*/true, /*HasNSW=*/true);
}

/// Loads and stores for a copy of constant length.
void widen(llvm::MemCpyInst& copy) {
  const auto* const length = llvm::dyn_cast<llvm::ConstantInt>(copy.getLength());
  if (!length || copy.isVolatile()) return;
  const std::uint64_t bytes = length->getZExtValue();
  const llvm::Align source = copy.getSourceAlign().valueOrOne(), dest = copy.getDestAlign().valueOrOne();
  const std::uint64_t aligned = std::min({widest, dest.value(), source.value()});
  if (bytes / aligned <= mostAccesses) return copyByPieces(copy, piecesOf(copy.getContext(), bytes, aligned));
  const std::uint64_t step = aligned * atOnce, rest = bytes % step;
  llvm::IRBuilder<> builder(&copy);
  const auto part = [&](llvm::Value* offset, std::uint64_t size) {
    const auto place = [&](llvm::Value* memory) {
      return builder.CreateInBoundsGEP(builder.getInt8Ty(), memory, offset);
    };
    auto* const one = llvm::cast<llvm::MemCpyInst>(
        builder.CreateMemCpy(place(copy.getRawDest()), llvm::commonAlignment(dest, aligned), place(copy.getRawSource()),
                             llvm::commonAlignment(source, aligned), size));
    llvm::AAMDNodes aliasing = copy.getAAMetadata();
    aliasing.TBAA = aliasing.TBAAStruct = nullptr;  // of fields at other offsets
    one->setAAMetadata(aliasing);
    copyByPieces(*one, piecesOf(copy.getContext(), size, aligned));
  };
  if (rest != 0) part(builder.getInt64(bytes - rest), rest);
  builder.SetInsertPoint(&copy);
  part(openLoop(builder, bytes / step, step), step);
  copy.eraseFromParent();
}

/// Stores the byte that `set` sets memory to as a value of `type`.
void storeOf(const llvm::MemSetInst& set, llvm::Type* type, llvm::Value* offset, llvm::Align align,
             llvm::IRBuilder<>& builder) {
  const llvm::APInt& byte = llvm::cast<llvm::ConstantInt>(set.getValue())->getValue();
  const llvm::APInt element = llvm::APInt::getSplat(type->getScalarSizeInBits(), byte);
  builder.CreateAlignedStore(llvm::ConstantInt::get(type, element),
                             builder.CreateInBoundsGEP(builder.getInt8Ty(), set.getRawDest(), offset), align);
}

/// Stores for a constant setting of memory that is no local variable.
void widen(llvm::MemSetInst& set, std::uint64_t bytes) {
  const std::uint64_t aligned = std::min(widest, set.getDestAlign().valueOrOne().value());
  llvm::IRBuilder<> builder(&set);
  const llvm::Align whole = set.getDestAlign().valueOrOne();
  const std::uint64_t looped = bytes / aligned <= mostAccesses ? 0 : bytes - bytes % (aligned * atOnce);
  for (const CopyPiece& piece : piecesOf(set.getContext(), bytes - looped, aligned))
    storeOf(set, piece.type, builder.getInt64(looped + piece.offset),
            llvm::commonAlignment(whole, looped + piece.offset), builder);
  if (looped != 0) {
    const std::uint64_t step = aligned * atOnce;
    llvm::Value* const first = openLoop(builder, looped / step, step);
    for (const CopyPiece& piece : piecesOf(set.getContext(), step, aligned)) {
      storeOf(set, piece.type, builder.CreateAdd(first, builder.getInt64(piece.offset)),
              llvm::commonAlignment(whole, aligned), builder);
    }
  }
  set.eraseFromParent();
}

/// A vector of as many elements of `field` bytes as one store may take of `bytes`, by the registers of a GPU at most
/// four.
llvm::Type* storedType(llvm::LLVMContext& context, std::uint64_t field, std::uint64_t bytes) {
  const std::uint64_t count = std::min<std::uint64_t>(4, llvm::bit_floor(std::min(widest, bytes) / field));
  llvm::Type* const element = llvm::IntegerType::get(context, static_cast<unsigned>(field * 8));
  return count == 1 ? element : llvm::FixedVectorType::get(element, static_cast<unsigned>(count));
}

/// Stores for a constant setting, by elements where it is a local variable's, or nothing to leave it to the back end.
void setByElements(llvm::MemSetInst& set) {
  auto* const variable = llvm::dyn_cast<llvm::AllocaInst>(llvm::getUnderlyingObject(set.getRawDest()));
  const auto* const length = llvm::dyn_cast<llvm::ConstantInt>(set.getLength());
  if (!length || !llvm::isa<llvm::ConstantInt>(set.getValue()) || set.isVolatile()) return;
  const llvm::DataLayout& layout = set.getDataLayout();
  const std::uint64_t bytes = length->getZExtValue();
  if (!variable) return widen(set, bytes);
  const std::uint64_t field = fieldSize(layout, variable->getAllocatedType());
  if ((field != 2 && field != 4 && field != 8) || bytes == 0 || bytes % field != 0) return;
  const llvm::Align align = llvm::getOrEnforceKnownAlignment(set.getRawDest(), llvm::Align(widest), layout, &set);
  if (align.value() < field) return;
  llvm::IRBuilder<> builder(&set);
  llvm::Type* const widestStore = storedType(set.getContext(), field, std::min(bytes, align.value()));
  const std::uint64_t step = layout.getTypeStoreSize(widestStore).getFixedValue();
  const std::uint64_t rest = bytes % step;
  const auto storeAt = [&](std::uint64_t offset, llvm::Type* type) {
    storeOf(set, type, builder.getInt64(offset), llvm::commonAlignment(align, offset), builder);
  };
  for (std::uint64_t done = bytes - rest; done < bytes; done += field)
    storeAt(done, llvm::IntegerType::get(set.getContext(), static_cast<unsigned>(field * 8)));
  if (bytes / step <= mostPieces) {
    for (std::uint64_t done = 0; done + step <= bytes; done += step) storeAt(done, widestStore);
  } else {
    llvm::Value* const offset = openLoop(builder, bytes / step, step);
    storeOf(set, widestStore, offset, llvm::commonAlignment(align, step), builder);
  }
  set.eraseFromParent();
}

}  // namespace

std::uint64_t fieldSize(const llvm::DataLayout& layout, llvm::Type* type) {
  if (const auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) return fieldSize(layout, array->getElementType());
  if (const auto* vector = llvm::dyn_cast<llvm::VectorType>(type)) return fieldSize(layout, vector->getElementType());
  const auto* const structure = llvm::dyn_cast<llvm::StructType>(type);
  if (!structure) return layout.getTypeStoreSize(type).getFixedValue();
  std::uint64_t size = 0;
  for (llvm::Type* field : structure->elements()) {
    const std::uint64_t own = fieldSize(layout, field);
    if (own == 0 || (size != 0 && own != size)) return 0;
    size = own;
  }
  return size;
}

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
  for (; !pieces.empty(); pieces = pieces.drop_front(std::min(pieces.size(), atOnce))) {
    const auto together = pieces.take_front(atOnce);
    llvm::SmallVector<llvm::LoadInst*> values;
    for (const CopyPiece& piece : together) {
      values.push_back(
          builder.CreateAlignedLoad(piece.type, placeIn(copy.getRawSource(), piece),
                                    llvm::commonAlignment(copy.getSourceAlign().valueOrOne(), piece.offset)));
      access(*values.back(), piece);
    }
    for (const auto& [piece, value] : llvm::zip_equal(together, values)) {
      llvm::StoreInst* const store =
          builder.CreateAlignedStore(value, placeIn(copy.getRawDest(), piece),
                                     llvm::commonAlignment(copy.getDestAlign().valueOrOne(), piece.offset));
      access(*store, piece);
    }
  }
  copy.eraseFromParent();
}

void widenCopies(llvm::Function& function) {
  llvm::SmallVector<llvm::MemIntrinsic*> found;  // the loop of one splits a block
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (auto* const one = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction)) found.push_back(one);
  for (llvm::MemIntrinsic* one : found) {
    if (auto* const copy = llvm::dyn_cast<llvm::MemCpyInst>(one)) widen(*copy);
    if (auto* const set = llvm::dyn_cast<llvm::MemSetInst>(one)) setByElements(*set);
  }
}

}  // namespace lathe::detail
