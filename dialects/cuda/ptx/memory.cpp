// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads and stores. What an operator says of caches, and priorities, change no result and are passed over; `.nc`
// promises that nobody writes there while the kernel runs.
#include "dialects/cuda/ptx/address.h"
#include "dialects/cuda/ptx/instructions.h"

namespace lathe::dialects::ptx {
namespace {

/// How an access is made, by its words.
struct Access {
  Space space = Space::generic;
  bool isVolatile = false;
  std::optional<Order> order;  ///< of an atomic access
  unsigned count = 1;          ///< elements
  Type type;
};

Access accessOf(Emitter& e, Words& words) {
  Access out;
  const bool keeps = words.take("nc");
  out.isVolatile = words.take("volatile") || words.take("cv") || (e.isVolatile() && !keeps);
  (void)words.take("weak");
  if (words.has("relaxed") || words.has("acquire") || words.has("release")) out.order = takeOrder(words);
  const llvm::StringRef space = words.takeOneOf({"global", "shared", "shared::cta", "local", "const"});
  if (space.starts_with("shared")) out.space = Space::shared;
  (void)words.takeOneOf({"ca", "cg", "cs", "lu", "wb", "wt"});
  words.takeAll("L1::");
  words.takeAll("L2::");
  const llvm::StringRef vector = words.takeOneOf({"v2", "v4", "v8"});
  if (!vector.empty()) (void)vector.drop_front().getAsInteger(10, out.count);
  out.type = words.takeType(e);
  if (out.type.bits > 64 || out.type.kind == Kind::predicate)
    e.refuseThis("this type has no translation", "access it in C++, or in parts of at most 64 bits");
  return out;
}

/// The registers of a vector, or the one of a scalar.
llvm::ArrayRef<Operand> elementsOf(Emitter& e, const Operand& operand, const Access& access) {
  const bool isVector = operand.kind == Operand::Kind::vector;
  if (isVector ? operand.parts.size() == access.count : access.count == 1)
    return isVector ? llvm::ArrayRef(operand.parts) : llvm::ArrayRef(operand);
  e.refuseThis("the number of registers is not that of its vector", "write as many between braces");
  return {};
}

/// The access of an element that is atomic; null: `access` is none.
std::string atomicEntry(llvm::StringRef kind, unsigned bits) {
  return ("atomic_" + kind + "_i").str() + std::to_string(bits);
}

}  // namespace

void load(Emitter& e, Words& words, const Instruction& in) {
  const Access access = accessOf(e, words);
  if (e.refusal()) return;
  const llvm::ArrayRef<Operand> elements = elementsOf(e, in.operands[0], access);
  llvm::IRBuilder<>& ir = e.ir();
  llvm::Value* const pointer = memoryOperand(e, in.operands[1], access.space);
  llvm::Type* const element = e.integer(access.type.bits);
  const unsigned bytes = access.type.bits / 8;
  if (access.order) {
    for (unsigned i = 0; i < elements.size(); ++i) {
      llvm::Value* const at = i == 0 ? pointer : ir.CreatePtrAdd(pointer, e.number(64, i * bytes));
      llvm::Value* const value = e.callAbi(atomicEntry("load", access.type.bits), element,
                                           {at, e.number(32, access.order->order), e.number(32, access.order->scope)});
      e.write(elements[i], value, access.type, /*mayBeWider=*/true);
    }
    return;
  }
  // A vector access is one of each element; a volatile one of a vector would be something that text formats lack.
  const bool together = access.count > 1 && !access.isVolatile;
  const llvm::Align align(bytes * access.count);
  llvm::Value* const whole =
      together ? ir.CreateAlignedLoad(llvm::FixedVectorType::get(element, access.count), pointer, align) : nullptr;
  for (unsigned i = 0; i < elements.size(); ++i) {
    llvm::Value* const at = i == 0 || together ? pointer : ir.CreatePtrAdd(pointer, e.number(64, i * bytes));
    llvm::Value* const value =
        together ? ir.CreateExtractElement(whole, i)
                 : ir.CreateAlignedLoad(element, at, llvm::commonAlignment(align, i * bytes), access.isVolatile);
    // What is wider than a floating-point number is no register of one.
    e.write(elements[i], value, access.type.isReal() ? Type{Kind::bits, access.type.bits} : access.type,
            /*mayBeWider=*/!access.type.isReal());
  }
}

void store(Emitter& e, Words& words, const Instruction& in) {
  const Access access = accessOf(e, words);
  if (e.refusal()) return;
  const llvm::ArrayRef<Operand> elements = elementsOf(e, in.operands[1], access);
  llvm::IRBuilder<>& ir = e.ir();
  llvm::Value* const pointer = memoryOperand(e, in.operands[0], access.space);
  llvm::Type* const element = e.integer(access.type.bits);
  const unsigned bytes = access.type.bits / 8;
  const bool together = access.count > 1 && !access.isVolatile && !access.order;
  const llvm::Align align(bytes * access.count);
  llvm::Value* whole = llvm::PoisonValue::get(llvm::FixedVectorType::get(element, access.count));
  for (unsigned i = 0; i < elements.size(); ++i) {
    llvm::Value* const value =
        e.sameBits(e.read(elements[i], access.type, /*mayBeWider=*/!access.type.isReal()), element);
    llvm::Value* const at = i == 0 || together ? pointer : ir.CreatePtrAdd(pointer, e.number(64, i * bytes));
    if (access.order)
      e.callAbi(atomicEntry("store", access.type.bits), ir.getVoidTy(),
                {at, value, e.number(32, access.order->order), e.number(32, access.order->scope)});
    else if (together)
      whole = ir.CreateInsertElement(whole, value, i);
    else
      ir.CreateAlignedStore(value, at, llvm::commonAlignment(align, i * bytes), access.isVolatile);
  }
  if (together) ir.CreateAlignedStore(whole, pointer, align);
}

/// What it says of caches is for `.L2::cache_hint`, which is passed over.
void cachePolicy(Emitter& e, Words& words, const Instruction& in) {
  words.takeAll("");
  e.write(in.operands[0], e.number(64, 0), {Kind::bits, 64});
}

/// Where only time depends on them. Launches of a kernel's successor before its end do not happen off NVIDIA's GPUs.
void hint(Emitter&, Words& words, const Instruction&) {
  words.takeAll("");
}

}  // namespace lathe::dialects::ptx
