// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/cuda/ptx/address.h"

#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"

namespace lathe::dialects::ptx {
namespace {

constexpr unsigned groupSpace = 3;  ///< of portable IR, docs/portable-ir.md
constexpr const char* anchorName = "lathe.ptx.shared";

/// A variable of the group's shared memory, whose address tells where that memory is.
llvm::GlobalVariable& anchorOf(llvm::Module& module) {
  if (llvm::GlobalVariable* const known = module.getGlobalVariable(anchorName, /*AllowInternal=*/true)) return *known;
  llvm::Type* const byte = llvm::Type::getInt8Ty(module.getContext());
  return *new llvm::GlobalVariable(module, byte, /*isConstant=*/false, llvm::GlobalValue::InternalLinkage,
                                   llvm::PoisonValue::get(byte), anchorName, nullptr, llvm::GlobalValue::NotThreadLocal,
                                   groupSpace);
}

}  // namespace

llvm::Value* sharedPointer(Emitter& e, llvm::Value* address) {
  llvm::IRBuilder<>& ir = e.ir();
  llvm::Type* const shared = llvm::PointerType::get(e.context(), groupSpace);
  if (address->getType()->isPointerTy()) {
    address = ir.CreatePtrToInt(address, e.integer(64));
  } else {
    // A number may be the low half of an address, also with zeros above it, which no whole address has.
    llvm::Value* const anchor = ir.CreatePtrToInt(&anchorOf(*ir.GetInsertBlock()->getModule()), e.integer(64));
    llvm::Value* const low = ir.CreateZExtOrTrunc(address, e.integer(32));
    llvm::Value* const distance = ir.CreateSub(low, ir.CreateTrunc(anchor, e.integer(32)));
    llvm::Value* const whole = ir.CreateAdd(anchor, ir.CreateSExt(distance, e.integer(64)));
    const bool isHalf = address->getType()->getIntegerBitWidth() == 32;
    address = isHalf ? whole : ir.CreateSelect(ir.CreateICmpULE(address, e.number(64, UINT32_MAX)), whole, address);
  }
  return ir.CreateAddrSpaceCast(ir.CreateIntToPtr(address, shared), ir.getPtrTy());
}

llvm::Value* addressOf(Emitter& e, const Operand& operand, Space space) {
  llvm::IRBuilder<>& ir = e.ir();
  if (operand.kind == Operand::Kind::label) {
    e.refuseThis("'" + operand.name + "' is named as memory", "pass its address as an operand, \"l\"");
    return llvm::PoisonValue::get(ir.getPtrTy());
  }
  llvm::Value* address = e.held(operand);
  if (!address && operand.kind == Operand::Kind::integer)
    address = e.number(space == Space::shared ? 32 : 64, operand.value);
  const unsigned width = address ? Emitter::widthOf(address->getType()) : 0;
  if (width != 64 && (width != 32 || space != Space::shared)) {
    e.refuseThis("an address of " + std::to_string(width) + " bits",
                 "pass pointers by \"l\", and addresses of shared memory by \"r\" or \"l\"");
    return llvm::PoisonValue::get(ir.getPtrTy());
  }
  if (space == Space::shared) return sharedPointer(e, address);
  return e.sameBits(address, ir.getPtrTy());
}

llvm::Value* memoryOperand(Emitter& e, const Operand& operand, Space space) {
  if (operand.kind != Operand::Kind::address) return addressOf(e, operand, space);
  llvm::IRBuilder<>& ir = e.ir();
  llvm::Value* pointer = addressOf(e, operand.parts.front(), space);
  std::uint64_t offset = static_cast<std::uint64_t>(operand.offset);
  if (operand.parts.size() > 1) {
    const auto immediate = e.constant(operand.parts[1]);
    if (!immediate) e.refuseThis("an offset is no number", "pass it by \"n\"");
    offset += immediate.value_or(0);
  }
  return offset == 0 ? pointer : ir.CreatePtrAdd(pointer, e.number(64, offset));
}

llvm::Value* sharedAddress(Emitter& e, llvm::Value* pointer, unsigned bits) {
  llvm::IRBuilder<>& ir = e.ir();
  llvm::Type* const shared = llvm::PointerType::get(e.context(), groupSpace);
  llvm::Value* const address = ir.CreatePtrToInt(ir.CreateAddrSpaceCast(pointer, shared), e.integer(64));
  return ir.CreateTrunc(address, e.integer(bits));
}

}  // namespace lathe::dialects::ptx
