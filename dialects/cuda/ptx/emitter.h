// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The function that a statement becomes, while it is written: one variable for each register, results of the statement
// among them, and what every instruction needs to read and write operands as values of a type.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

#include "dialects/cuda/ptx/syntax/program.h"

namespace lathe::dialects::ptx {

/// An operand of the statement: a result that has a variable, or a value that is only read.
struct Argument {
  llvm::AllocaInst* variable = nullptr;
  llvm::Value* value = nullptr;
};

class Emitter {
 public:
  /// `entry` is an empty block, for variables; `isVolatile`: the statement may be neither removed nor merged.
  /// `outerCarry`: where the flag is before and behind the statement; null: nowhere.
  Emitter(llvm::BasicBlock& entry, const Program& program, std::vector<Argument> arguments, bool isVolatile,
          llvm::Value* outerCarry);

  llvm::IRBuilder<>& ir() { return ir_; }
  llvm::LLVMContext& context() { return ir_.getContext(); }
  bool isVolatile() const { return isVolatile_; }

  /// Keeps the first reason why the statement has no translation; what is emitted afterwards is thrown away.
  void refuse(std::string message, std::string hint);
  std::optional<Refusal>& refusal() { return refusal_; }
  /// The same of the instruction at hand: "inline PTX: 'bar.arrive': " and the reason.
  void refuseThis(llvm::StringRef reason, std::string hint);
  void begin(const Instruction& instruction) { now_ = &instruction; }

  llvm::Type* irType(Type type);
  llvm::IntegerType* integer(unsigned bits) { return ir_.getIntNTy(bits); }
  llvm::ConstantInt* number(unsigned bits, std::uint64_t value) {
    return llvm::ConstantInt::get(integer(bits), value & (bits < 64 ? (std::uint64_t{1} << bits) - 1 : ~0ULL));
  }

  /// The operand as it is held, a pointer perhaps; null for what has no value of its own, such as a number.
  llvm::Value* held(const Operand& operand);
  /// The operand as a value of `type`. Registers must have its width, unless `mayBeWider`.
  llvm::Value* read(const Operand& operand, Type type, bool mayBeWider = false);
  /// A predicate.
  llvm::Value* readPredicate(const Operand& operand);
  /// Writes a value of `type` into a register of its width, or where `mayBeWider` a wider one, extended by the type's
  /// sign.
  void write(const Operand& operand, llvm::Value* value, Type type, bool mayBeWider = false);
  void writePredicate(const Operand& operand, llvm::Value* value);
  /// The value of an operand that is a number when the statement is compiled.
  std::optional<std::uint64_t> constant(const Operand& operand);

  /// Calls an entry of the device ABI (docs/device-abi.md) by its name without the prefix.
  llvm::CallInst* callAbi(llvm::StringRef name, llvm::Type* result, llvm::ArrayRef<llvm::Value*> arguments,
                          bool isConvergent = false);
  llvm::Value* intrinsic(llvm::Intrinsic::ID id, llvm::ArrayRef<llvm::Value*> arguments) {
    return ir_.CreateIntrinsic(id, {arguments.front()->getType()}, arguments);
  }

  /// Makes `value` a `type` of as many bits.
  llvm::Value* sameBits(llvm::Value* value, llvm::Type* type);
  /// Bits of a value that is held.
  static unsigned widthOf(llvm::Type* type);

  /// The carry flag. Reading it before an instruction of the statement has written it is refused.
  llvm::Value* carry();
  void setCarry(llvm::Value* flag);
  /// For the end of the statement: leaves the flag where others look for it.
  void passCarryOn();

  /// The block that a label of the statement stands for.
  llvm::BasicBlock* blockOf(llvm::StringRef label);
  /// Continues at `block`, which the code so far falls through to.
  void continueAt(llvm::BasicBlock* block);
  llvm::BasicBlock* newBlock();
  bool isLabel(llvm::StringRef name) const { return labels_.contains(name); }

  const std::vector<llvm::AllocaInst*>& variables() const { return variables_; }

 private:
  llvm::AllocaInst* variable(llvm::Type* type);
  llvm::AllocaInst* variableOf(const Operand& operand);

  llvm::IRBuilder<> ir_;
  llvm::BasicBlock& entry_;
  std::vector<Argument> arguments_;
  bool isVolatile_;
  const Instruction* now_ = nullptr;
  std::vector<llvm::AllocaInst*> registers_;
  std::vector<llvm::AllocaInst*> variables_;
  llvm::AllocaInst* carry_ = nullptr;
  llvm::Value* outerCarry_;
  llvm::StringMap<llvm::BasicBlock*> labels_;
  std::optional<Refusal> refusal_;
};

}  // namespace lathe::dialects::ptx
