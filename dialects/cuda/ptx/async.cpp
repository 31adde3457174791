// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies to shared memory beside the item (`cp.async`), which off NVIDIA's GPUs are copies.
#include "dialects/cuda/ptx/address.h"
#include "dialects/cuda/ptx/instructions.h"

namespace lathe::dialects::ptx {
namespace {

/// Copies `given` bytes, fewer than `size` maybe, and fills the rest with zeros.
void copyPart(Emitter& e, llvm::Value* to, llvm::Value* from, llvm::Value* given, unsigned size) {
  llvm::IRBuilder<>& ir = e.ir();
  llvm::BasicBlock* const before = ir.GetInsertBlock();
  llvm::BasicBlock* const test = e.newBlock();
  llvm::BasicBlock* const read = e.newBlock();
  llvm::BasicBlock* const write = e.newBlock();
  llvm::BasicBlock* const done = e.newBlock();
  ir.CreateBr(test);
  ir.SetInsertPoint(test);
  llvm::PHINode* const at = ir.CreatePHI(e.integer(32), 2);
  at->addIncoming(e.number(32, 0), before);
  ir.CreateCondBr(ir.CreateICmpULT(at, given), read, write);
  ir.SetInsertPoint(read);
  llvm::Value* const byte = ir.CreateLoad(e.integer(8), ir.CreatePtrAdd(from, ir.CreateZExt(at, e.integer(64))));
  ir.CreateBr(write);
  ir.SetInsertPoint(write);
  llvm::PHINode* const value = ir.CreatePHI(e.integer(8), 2);
  value->addIncoming(e.number(8, 0), test);
  value->addIncoming(byte, read);
  ir.CreateStore(value, ir.CreatePtrAdd(to, ir.CreateZExt(at, e.integer(64))));
  llvm::Value* const next = ir.CreateAdd(at, e.number(32, 1));
  at->addIncoming(next, write);
  ir.CreateCondBr(ir.CreateICmpULT(next, e.number(32, size)), test, done);
  ir.SetInsertPoint(done);
}

}  // namespace

void asynchronousCopy(Emitter& e, Words& words, const Instruction& in) {
  llvm::IRBuilder<>& ir = e.ir();
  if (!words.take("async") || words.has("bulk"))
    return e.refuseThis("it has no translation", "copy by the items of the group, or by cuda::memcpy_async");
  if (words.take("commit_group")) {
    e.callAbi("async_commit", ir.getVoidTy(), {});
    return;
  }
  if (words.take("wait_all")) {
    e.callAbi("async_commit", ir.getVoidTy(), {});
    e.callAbi("async_wait", ir.getVoidTy(), {e.number(32, 0)});
    return;
  }
  if (words.take("wait_group")) {
    const auto count = in.operands.size() == 1 ? e.constant(in.operands[0]) : std::nullopt;
    if (!count) return e.refuseThis("its number of groups is no constant", "pass it by \"n\"");
    e.callAbi("async_wait", ir.getVoidTy(), {e.number(32, *count)});
    return;
  }
  const bool lacksCache = words.takeOneOf({"ca", "cg"}).empty();
  const bool toShared = !words.takeOneOf({"shared", "shared::cta"}).empty(), fromGlobal = words.take("global");
  const bool hasPolicy = words.has("L2::cache_hint");
  words.takeAll("L2::");
  const std::size_t operands = in.operands.size() - (hasPolicy ? 1 : 0);
  const std::uint64_t size = operands >= 3 ? e.constant(in.operands[2]).value_or(0) : 0;
  if (lacksCache || !toShared || !fromGlobal || operands > 4 || (size != 4 && size != 8 && size != 16))
    return e.refuseThis("this form has no translation", "copy 4, 8 or 16 bytes from .global to .shared");
  const auto bytes = static_cast<unsigned>(size);
  llvm::Value* const to = memoryOperand(e, in.operands[0], Space::shared);
  llvm::Value* const from = memoryOperand(e, in.operands[1], Space::generic);
  llvm::BasicBlock* const behind = e.newBlock();
  if (operands == 4) {
    llvm::Value* const given = e.read(in.operands[3], {Kind::unsignedInteger, 32});
    llvm::BasicBlock* const whole = e.newBlock();
    llvm::BasicBlock* const part = e.newBlock();
    ir.CreateCondBr(ir.CreateICmpUGE(given, e.number(32, bytes)), whole, part);
    ir.SetInsertPoint(part);
    copyPart(e, to, from, given, bytes);
    ir.CreateBr(behind);
    ir.SetInsertPoint(whole);
  }
  e.callAbi("async_copy_i" + std::to_string(bytes * 8), ir.getVoidTy(), {to, from});
  e.continueAt(behind);
}

}  // namespace lathe::dialects::ptx
