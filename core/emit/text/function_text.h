// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One kernel as text. Each instruction becomes a statement that gives a variable its value; the stage `structure`
// has made of the rest what nests.
#pragma once

#include <string>
#include <vector>

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"

#include "core/emit/text/spelling.h"

namespace lathe::detail {

/// The expression of a constant.
[[nodiscard]] std::string constantText(Spelling& spelling, const llvm::Constant& constant);
/// The address of a variable of the program as an expression.
[[nodiscard]] std::string addressText(Spelling& spelling, const llvm::GlobalVariable& variable);
/// The name of a variable of the program.
[[nodiscard]] std::string variableName(const llvm::GlobalVariable& variable);
/// The definition of a variable of the program, its initial value as bytes.
[[nodiscard]] std::string variableText(Spelling& spelling, const llvm::GlobalVariable& variable);

class FunctionText {
 public:
  FunctionText(Spelling& spelling, llvm::Function& function);

  /// The whole definition.
  std::string write();

 private:
  /// Where control goes that does not fall off the end of what is written, and where it falls to.
  struct Flow {
    const llvm::BasicBlock* follow = nullptr;
    const llvm::BasicBlock* header = nullptr;
    const llvm::BasicBlock* exit = nullptr;
  };

  // control_flow.cpp
  void writeTree(const llvm::BasicBlock& block, const Flow& flow);
  void writeWithin(const llvm::BasicBlock& block, const Flow& flow);
  void writeEnd(const llvm::BasicBlock& block, const Flow& flow);
  void writeJump(const llvm::BasicBlock& from, const llvm::BasicBlock& to, const Flow& flow);
  std::string captured(const llvm::BasicBlock& from, const llvm::BasicBlock& to, const Flow& flow);
  void writeBlock(const llvm::BasicBlock& block);
  void passToPhis(const llvm::BasicBlock& from);

  // declarations.cpp
  std::string parameters();
  void declareShared();
  void declareValues();

  // instructions.cpp: instructions that are more than an expression
  void write(const llvm::Instruction& instruction);
  void writeLoad(const llvm::LoadInst& load);
  void writeStore(const llvm::StoreInst& store);
  void writeAtomic(const llvm::Instruction& instruction);
  void writeCall(const llvm::CallInst& call);
  void writeMembers(const llvm::Instruction& instruction);
  void define(const llvm::Instruction& instruction, const std::string& value);
  void assignMembers(const std::string& place, const llvm::Value& value);

  // operations.cpp: instructions as expressions
  std::string expression(const llvm::Instruction& instruction);
  std::string binary(const llvm::BinaryOperator& operation);
  std::string contracted(const llvm::BinaryOperator& sum);
  /// The product that becomes one operation with its sum; null if there is none.
  const llvm::BinaryOperator* fusedProduct(const llvm::Instruction& sum) const;
  bool isFused(const llvm::Instruction& product) const;
  std::string cast(const llvm::CastInst& cast);
  std::string comparison(const llvm::CmpInst& comparison);
  std::string address(const llvm::GEPOperator& address);
  /// The call of an intrinsic that the languages say by operators; empty for others.
  std::string simpleIntrinsic(const llvm::CallInst& call);

  /// An operand as an expression that any operator may stand beside.
  std::string use(const llvm::Value& value);
  /// The same as a signed number.
  std::string useSigned(const llvm::Value& value);
  /// A floating-point operand in the form in which it is computed with, and a result as it is stored.
  std::string widened(const llvm::Value& value);
  std::string narrowed(const llvm::Type& type, std::string value);
  /// A template's text for these operands; nothing if there is no template.
  std::optional<std::string> templated(std::string_view name, llvm::Type& type,
                                       llvm::ArrayRef<const llvm::Value*> operands, Holes more = {});
  std::string scopeText(llvm::SyncScope::ID scope, bool isFence);

  void line(const std::string& text);

  Spelling& spelling_;
  llvm::Function& function_;
  llvm::DominatorTree dominators_;
  llvm::LoopInfo loops_;
  llvm::DenseMap<const llvm::BasicBlock*, unsigned> order_;  ///< reverse post-order
  llvm::DenseMap<const llvm::Value*, std::string> names_;
  llvm::DenseSet<const llvm::Value*> local_;     ///< defined where they are computed
  llvm::DenseSet<const llvm::PHINode*> direct_;  ///< assigned without a second variable
  std::string body_;
  unsigned depth_ = 1;
};

}  // namespace lathe::detail
