// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One asm statement becomes a function, which is inlined where the statement was. So a statement without a translation
// leaves nothing behind.
//
//   before: %d = call i32 asm "shf.l.wrap.b32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a, i32 %b, i32 %n)
//   after:  %d = call i32 @llvm.fshl.i32(i32 %b, i32 %a, i32 %n)
#include "dialects/cuda/ptx/replace.h"

#include "llvm/IR/Dominators.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

#include "dialects/cuda/ptx/instructions.h"
#include "dialects/cuda/ptx/operand_types.h"

namespace lathe::dialects {
namespace ptx {
namespace {

constexpr const char* guardHint =
    "keep it from this target (lathe::target_is, or the preprocessor) and write it another way";

/// The operands of a statement as its constraints have them.
struct Operands {
  std::vector<Argument> arguments;
  std::vector<llvm::AllocaInst*> results;
  bool clobbersMemory = false;
};

/// Gives each operand a variable or the argument of `function` that it is. A constant is itself.
std::optional<Refusal> bind(const llvm::CallInst& statement, llvm::Function& function, Operands& out) {
  const auto* const text = llvm::cast<llvm::InlineAsm>(statement.getCalledOperand());
  llvm::IRBuilder<> builder(&function.getEntryBlock());
  const llvm::SmallVector<llvm::Type*> results = resultTypes(statement);
  unsigned nextInput = 0;
  for (const llvm::InlineAsm::ConstraintInfo& constraint : text->ParseConstraints()) {
    if (constraint.Type == llvm::InlineAsm::isClobber) {
      out.clobbersMemory |= llvm::is_contained(constraint.Codes, "{memory}");
      continue;
    }
    if (constraint.isIndirect) return Refusal{"inline PTX with an operand in memory", "pass its address by \"l\""};
    if (constraint.Type == llvm::InlineAsm::isOutput) {
      llvm::AllocaInst* const variable = builder.CreateAlloca(results[out.results.size()]);
      out.results.push_back(variable);
      out.arguments.push_back({variable, nullptr});
      continue;
    }
    if (constraint.Type != llvm::InlineAsm::isInput) return Refusal{"inline PTX that jumps out of its statement", ""};
    llvm::Value* value = statement.getArgOperand(nextInput);
    if (!llvm::isa<llvm::ConstantInt>(value)) value = function.getArg(nextInput);
    ++nextInput;
    unsigned tied = 0;  // the result whose register it shares
    if (constraint.Codes.empty() || llvm::StringRef(constraint.Codes.front()).getAsInteger(10, tied) ||
        tied >= out.results.size()) {
      out.arguments.push_back({nullptr, value});
      continue;
    }
    llvm::AllocaInst* const variable = out.results[tied];
    if (value->getType() != variable->getAllocatedType())
      return Refusal{"inline PTX with an input of another type than the output that it shares its register with",
                     "give both the same type"};
    builder.CreateStore(value, variable);
    out.arguments.push_back({variable, nullptr});
  }
  return std::nullopt;
}

void translate(Emitter& emitter, const Instruction& step) {
  emitter.begin(step);
  if (!step.label.empty()) return emitter.continueAt(emitter.blockOf(step.label));
  const InstructionForm* const form = findInstruction(step.words.front());
  if (!form) return emitter.refuse("inline PTX: '" + step.text + "' has no translation", guardHint);
  if (step.operands.size() < form->least || step.operands.size() > form->most) {
    return emitter.refuseThis("it has " + std::to_string(step.operands.size()) + " operands",
                              "compare it with NVIDIA's PTX ISA");
  }
  llvm::BasicBlock* behind = nullptr;
  if (!step.guard.empty()) {
    behind = emitter.newBlock();
    llvm::BasicBlock* const guarded = emitter.newBlock();
    emitter.ir().CreateCondBr(emitter.readPredicate(step.guard.front()), guarded, behind);
    emitter.ir().SetInsertPoint(guarded);
  }
  Words words(step);
  form->translate(emitter, words, step);
  if (!words.left().empty()) emitter.refuseThis("'." + words.left().front() + "' has no translation here", guardHint);
  if (behind) emitter.continueAt(behind);
}

void returnResults(llvm::IRBuilder<>& builder, const Operands& operands, llvm::Type* type) {
  if (type->isVoidTy()) {
    builder.CreateRetVoid();
    return;
  }
  llvm::Value* out = type->isStructTy() ? llvm::PoisonValue::get(type) : nullptr;
  for (unsigned i = 0; i < operands.results.size(); ++i) {
    llvm::Value* const value = builder.CreateLoad(operands.results[i]->getAllocatedType(), operands.results[i]);
    out = type->isStructTy() ? builder.CreateInsertValue(out, value, i) : value;
  }
  builder.CreateRet(out);
}

/// Code that was jumped over ends somewhere.
void closeBlocks(llvm::Function& function) {
  for (llvm::BasicBlock& block : function) {
    if (!block.getTerminator()) new llvm::UnreachableInst(function.getContext(), &block);
  }
}

/// `function` has the statement's parameters and, behind them, if `hasCarry`, the place of the flag.
std::optional<Refusal> fill(llvm::Function& function, const llvm::CallInst& statement, bool hasCarry) {
  const auto* const text = llvm::cast<llvm::InlineAsm>(statement.getCalledOperand());
  llvm::BasicBlock* const entry = llvm::BasicBlock::Create(function.getContext(), "", &function);
  Operands operands;
  if (auto refusal = bind(statement, function, operands)) return refusal;
  Program program;
  if (auto refusal = parse(text->getAsmString(), static_cast<unsigned>(operands.arguments.size()), program))
    return refusal;
  Emitter emitter(*entry, program, operands.arguments, text->hasSideEffects(),
                  hasCarry ? function.arg_end() - 1 : nullptr);
  emitter.ir().SetInsertPoint(entry);
  // What the statement says of memory holds for the compiler; the item sees its own accesses in order anyway.
  constexpr std::uint64_t sequential = 4, item = 0;
  const auto fence = [&] {
    if (operands.clobbersMemory)
      emitter.callAbi("fence", emitter.ir().getVoidTy(), {emitter.number(32, sequential), emitter.number(32, item)});
  };
  fence();
  for (const Instruction& step : program.steps) {
    if (emitter.refusal()) break;
    translate(emitter, step);
  }
  if (emitter.refusal()) return emitter.refusal();
  fence();
  emitter.passCarryOn();
  returnResults(emitter.ir(), operands, statement.getType());
  closeBlocks(function);
  llvm::DominatorTree dominators(function);
  llvm::PromoteMemToReg(emitter.variables(), dominators);
  return std::nullopt;
}

}  // namespace
}  // namespace ptx

std::optional<sdk::AssemblyRefusal> replacePtx(llvm::CallInst& statement) {
  llvm::AllocaInst* const carry = ptx::carryOf(statement);
  llvm::SmallVector<llvm::Type*> parameters(statement.getFunctionType()->params());
  if (carry) parameters.push_back(carry->getType());
  auto* const type = llvm::FunctionType::get(statement.getType(), parameters, /*isVarArg=*/false);
  llvm::Function* const function =
      llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, "lathe.ptx", statement.getModule());
  std::optional<sdk::AssemblyRefusal> refusal = ptx::fill(*function, statement, carry != nullptr);
  if (!refusal) {
    // The value of an immediate is no argument of the function, but a call has to pass something.
    llvm::SmallVector<llvm::Value*> arguments(statement.args());
    if (carry) arguments.push_back(carry);
    auto* const call = llvm::CallInst::Create(function, arguments, "", statement.getIterator());
    call->setDebugLoc(statement.getDebugLoc());
    statement.replaceAllUsesWith(call);
    statement.eraseFromParent();
    llvm::InlineFunctionInfo info;
    if (!llvm::InlineFunction(*call, info).isSuccess()) return std::nullopt;  // it is right as a call, too
  } else {
    function->dropAllReferences();
  }
  function->eraseFromParent();
  return refusal;
}

}  // namespace lathe::dialects
