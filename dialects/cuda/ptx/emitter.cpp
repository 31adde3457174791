// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/cuda/ptx/emitter.h"

#include <bit>

#include "llvm/IR/Module.h"

#include "dialects/cuda/ptx/special_registers.h"

namespace lathe::dialects::ptx {
namespace {

/// An immediate in `bits` bits: `true` is 1, all else has its sign.
llvm::APInt extended(const llvm::ConstantInt& immediate, unsigned bits) {
  const llvm::APInt& value = immediate.getValue();
  return value.getBitWidth() == 1 ? value.zextOrTrunc(bits) : value.sextOrTrunc(bits);
}

}  // namespace

Emitter::Emitter(llvm::BasicBlock& entry, const Program& program, std::vector<Argument> arguments, bool isVolatile,
                 llvm::Value* outerCarry)
    : ir_(&entry), entry_(entry), arguments_(std::move(arguments)), isVolatile_(isVolatile), outerCarry_(outerCarry) {
  if (outerCarry) setCarry(ir_.CreateLoad(ir_.getInt1Ty(), outerCarry));
  for (const Argument& argument : arguments_) {
    if (argument.variable && !llvm::is_contained(variables_, argument.variable))
      variables_.push_back(argument.variable);
  }
  for (const Type type : program.registers)
    registers_.push_back(variable(type.kind == Kind::predicate ? ir_.getInt1Ty() : integer(type.bits)));
  for (const Instruction& step : program.steps) {
    if (step.label.empty()) continue;
    if (!labels_.try_emplace(step.label, newBlock()).second)
      refuse("inline PTX with two labels '" + step.label + "'", "give each label a name of its own");
  }
}

void Emitter::refuse(std::string message, std::string hint) {
  if (!refusal_) refusal_ = Refusal{std::move(message), std::move(hint)};
}

void Emitter::refuseThis(llvm::StringRef reason, std::string hint) {
  refuse("inline PTX: '" + now_->text + "': " + reason.str(), std::move(hint));
}

llvm::Type* Emitter::irType(Type type) {
  if (type.kind == Kind::predicate) return ir_.getInt1Ty();
  if (type.kind != Kind::real) return integer(type.bits);
  if (type.isPair) return llvm::FixedVectorType::get(ir_.getHalfTy(), 2);
  return type.bits == 16 ? ir_.getHalfTy() : type.bits == 32 ? ir_.getFloatTy() : ir_.getDoubleTy();
}

unsigned Emitter::widthOf(llvm::Type* type) {
  return type->isPointerTy() ? 64 : static_cast<unsigned>(type->getPrimitiveSizeInBits().getFixedValue());
}

llvm::Value* Emitter::sameBits(llvm::Value* value, llvm::Type* type) {
  if (value->getType() == type) return value;
  if (value->getType()->isPointerTy()) value = ir_.CreatePtrToInt(value, integer(64));
  if (type->isPointerTy()) return ir_.CreateIntToPtr(ir_.CreateBitCast(value, integer(64)), type);
  return ir_.CreateBitCast(value, type);
}

llvm::AllocaInst* Emitter::variable(llvm::Type* type) {
  llvm::IRBuilder<> builder(&entry_, entry_.getFirstInsertionPt());
  variables_.push_back(builder.CreateAlloca(type));
  return variables_.back();
}

llvm::AllocaInst* Emitter::variableOf(const Operand& operand) {
  if (operand.kind == Operand::Kind::reg) return registers_[operand.index];
  return operand.kind == Operand::Kind::argument ? arguments_[operand.index].variable : nullptr;
}

llvm::Value* Emitter::held(const Operand& operand) {
  if (llvm::AllocaInst* const variable = variableOf(operand))
    return ir_.CreateLoad(variable->getAllocatedType(), variable);
  if (operand.kind == Operand::Kind::argument) return arguments_[operand.index].value;
  if (operand.kind == Operand::Kind::special) return specialRegister(*this, operand.name);
  return nullptr;
}

llvm::Value* Emitter::read(const Operand& operand, Type type, bool mayBeWider) {
  llvm::Type* const wanted = irType(type);
  llvm::Value* const nothing = llvm::PoisonValue::get(wanted);
  if (type.kind == Kind::predicate) return readPredicate(operand);
  switch (operand.kind) {
    case Operand::Kind::integer:
      if (type.isReal()) break;
      return llvm::ConstantInt::get(integer(type.bits), llvm::APInt(64, operand.value).sextOrTrunc(type.bits));
    case Operand::Kind::single:
      if (type.bits != 32) break;
      return sameBits(number(32, operand.value), wanted);
    case Operand::Kind::real: {
      if (type.kind != Kind::real || type.isPair) break;
      return llvm::ConstantFP::get(wanted, std::bit_cast<double>(operand.value));
    }
    default: {
      llvm::Value* value = held(operand);
      if (!value) break;
      // Immediates ("n") have the type of the expression in C++.
      if (auto* const immediate = llvm::dyn_cast<llvm::ConstantInt>(value); immediate && !type.isReal())
        return llvm::ConstantInt::get(integer(type.bits), extended(*immediate, type.bits));
      const unsigned width = widthOf(value->getType());
      if (width == type.bits) return sameBits(value, wanted);
      if (width > type.bits && width > 1 && mayBeWider) {
        value = ir_.CreateTrunc(sameBits(value, integer(width)), integer(type.bits));
        return sameBits(value, wanted);
      }
      refuseThis(
          "an operand has " + std::to_string(width) + " bits, where the instruction takes " + std::to_string(type.bits),
          "pass a value of that size, by the constraint 'h' for 16 bits, 'r' for 32, 'l' for 64");
      return nothing;
    }
  }
  refuseThis("an operand of another kind than the instruction takes", "compare it with NVIDIA's PTX ISA");
  return nothing;
}

llvm::Value* Emitter::readPredicate(const Operand& operand) {
  llvm::Value* value = held(operand);
  if (operand.kind == Operand::Kind::integer) value = ir_.getInt1(operand.value != 0);
  if (!value || !value->getType()->isIntegerTy(1)) {
    refuseThis("an operand is no predicate", "declare it with '.reg .pred', and set it by 'setp'");
    return ir_.getFalse();
  }
  return operand.negated ? ir_.CreateNot(value) : value;
}

void Emitter::write(const Operand& operand, llvm::Value* value, Type type, bool mayBeWider) {
  if (operand.kind == Operand::Kind::sink) return;
  llvm::AllocaInst* const variable = variableOf(operand);
  if (!variable)
    return refuseThis("the result goes to what is no register", "write to an output, \"=r\" or \"+r\", or a '.reg'");
  llvm::Type* const own = variable->getAllocatedType();
  const unsigned width = widthOf(own);
  if (width > type.bits && mayBeWider && type.kind != Kind::predicate && width > 1) {
    value = ir_.CreateIntCast(sameBits(value, integer(type.bits)), integer(width), type.isSigned());
  } else if (width != type.bits || own->isIntegerTy(1) != (type.kind == Kind::predicate)) {
    return refuseThis(
        "the result has " + std::to_string(type.bits) + " bits, and its register " + std::to_string(width),
        "take a register of that size: \"=h\" has 16 bits, \"=r\" 32, \"=l\" 64");
  }
  ir_.CreateStore(sameBits(value, own), variable);
}

void Emitter::writePredicate(const Operand& operand, llvm::Value* value) {
  write(operand, value, {Kind::predicate, 1});
}

std::optional<std::uint64_t> Emitter::constant(const Operand& operand) {
  if (operand.kind == Operand::Kind::integer) return operand.value;
  if (operand.kind != Operand::Kind::argument) return std::nullopt;
  const auto* const value = llvm::dyn_cast_or_null<llvm::ConstantInt>(arguments_[operand.index].value);
  if (!value || value->getBitWidth() > 64) return std::nullopt;
  return extended(*value, 64).getZExtValue();
}

llvm::CallInst* Emitter::callAbi(llvm::StringRef name, llvm::Type* result, llvm::ArrayRef<llvm::Value*> arguments,
                                 bool isConvergent) {
  llvm::SmallVector<llvm::Type*> types;
  for (const llvm::Value* argument : arguments) types.push_back(argument->getType());
  llvm::FunctionCallee entry = entry_.getModule()->getOrInsertFunction(
      ("__lathe_" + name).str(), llvm::FunctionType::get(result, types, /*isVarArg=*/false));
  if (isConvergent) llvm::cast<llvm::Function>(entry.getCallee())->setConvergent();
  llvm::CallInst* const call = ir_.CreateCall(entry, arguments);
  if (isConvergent) call->setConvergent();
  return call;
}

llvm::Value* Emitter::carry() {
  if (!carry_) {
    refuseThis("no statement before has left a carry",
               "begin the chain by an instruction with '.cc', in this function or in those that are inlined into it");
    return ir_.getFalse();
  }
  return ir_.CreateLoad(ir_.getInt1Ty(), carry_);
}

void Emitter::setCarry(llvm::Value* flag) {
  if (!carry_) carry_ = variable(ir_.getInt1Ty());
  ir_.CreateStore(flag, carry_);
}

void Emitter::passCarryOn() {
  if (outerCarry_) ir_.CreateStore(ir_.CreateLoad(ir_.getInt1Ty(), carry_), outerCarry_);
}

llvm::BasicBlock* Emitter::newBlock() {
  return llvm::BasicBlock::Create(context(), "", entry_.getParent());
}

llvm::BasicBlock* Emitter::blockOf(llvm::StringRef label) {
  const auto found = labels_.find(label);
  if (found != labels_.end()) return found->second;
  refuseThis("no label '" + label.str() + "' stands in the statement", "jump within one statement only");
  return newBlock();
}

void Emitter::continueAt(llvm::BasicBlock* block) {
  if (!ir_.GetInsertBlock()->getTerminator()) ir_.CreateBr(block);
  ir_.SetInsertPoint(block);
}

}  // namespace lathe::dialects::ptx
