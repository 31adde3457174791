// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inputs of asm statements that their text writes to.
#include "dialects/cuda/ptx/written_inputs.h"

#include <string>

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"

#include "dialects/cuda/ptx/operand_types.h"
#include "dialects/cuda/ptx/syntax/tokens.h"

namespace lathe::dialects::ptx {
namespace {

/// True for instructions whose first operand is the result: computations, moves and loads. Others that have a register
/// there read it (`bar.sync`, `nanosleep`), or are none of which programs write inputs.
bool writesFirst(llvm::StringRef instruction) {
  static const llvm::StringSet<> names = {
      "abs",      "add",  "addc", "and",   "bfe",  "bfi",  "bfind", "bmsk",  "brev", "clz",      "cnot",
      "copysign", "cos",  "cvt",  "cvta",  "div",  "dp2a", "dp4a",  "ex2",   "fma",  "ld",       "ldu",
      "lg2",      "lop3", "mad",  "mad24", "madc", "max",  "min",   "mov",   "mul",  "mul24",    "neg",
      "not",      "or",   "popc", "prmt",  "rcp",  "rem",  "rsqrt", "sad",   "selp", "set",      "shf",
      "shl",      "shr",  "sin",  "slct",  "sqrt", "sub",  "subc",  "szext", "tanh", "vabsdiff", "vadd",
      "vmad",     "vmax", "vmin", "vset",  "vshl", "vshr", "vsub",  "xor"};
  return names.contains(instruction.split('.').first);
}

/// The inputs, of `count` operands the first `outputs` of which are none, that the text writes.
llvm::BitVector writtenInputs(llvm::StringRef text, unsigned outputs, unsigned count) {
  llvm::BitVector written(count);
  const auto note = [&](llvm::StringRef token) {
    unsigned number = 0;
    if (token.consume_front("$") && !token.getAsInteger(10, number) && number >= outputs && number < count)
      written.set(number);
  };
  for (Tokens tokens(text); !tokens.atEnd();) {
    if (tokens.take("{") || tokens.take("}") || tokens.take(";")) continue;
    if (tokens.take("@")) {
      tokens.take("!");
      tokens.advance();
    }
    const bool writes = writesFirst(tokens.now());
    tokens.advance();
    if (tokens.take(":")) continue;  // a label
    if (writes && tokens.take("{")) {
      for (; !tokens.atEnd() && tokens.now() != "}"; tokens.advance()) note(tokens.now());
    } else if (writes) {
      note(tokens.now());
    }
    while (!tokens.atEnd() && tokens.now() != ";") tokens.advance();
  }
  return written;
}

/// The text with `more` outputs behind the first `outputs` operands.
std::string renumbered(llvm::StringRef text, unsigned outputs, unsigned more) {
  std::string out;
  while (!text.empty()) {
    const std::size_t at = text.find('$');
    out += text.take_front(at).str();
    text = text.drop_front(std::min(at, text.size()));
    if (text.empty()) break;
    // `$$` is a sign of the text itself; `${1:x}` and `${:uid}` have the number, or none, in braces.
    const std::size_t digits = text.starts_with("${") ? 2 : text.starts_with("$$") ? text.size() : 1;
    unsigned number = 0;
    const std::size_t end = text.find_first_not_of("0123456789", digits);
    const llvm::StringRef word = text.slice(digits, end);
    out += text.take_front(std::min(digits, std::size_t{2})).str();
    if (digits <= 2 && !word.getAsInteger(10, number)) {
      out += std::to_string(number < outputs ? number : number + more);
      text = text.drop_front(std::min(end, text.size()));
    } else {
      text = text.drop_front(std::min(digits, std::size_t{2}));
    }
  }
  return out;
}

}  // namespace

llvm::CallInst* ownWrittenInputs(llvm::CallInst& statement) {
  const auto& text = *llvm::cast<llvm::InlineAsm>(statement.getCalledOperand());
  llvm::SmallVector<llvm::StringRef> parts;
  llvm::StringRef(text.getConstraintString()).split(parts, ',');
  const auto outputs =
      static_cast<unsigned>(llvm::count_if(parts, [](llvm::StringRef part) { return part.starts_with("="); }));
  const auto operands = static_cast<unsigned>(outputs + statement.arg_size());
  const auto isRegister = [](llvm::StringRef part) {
    return part.size() == 1 && llvm::StringRef("hrlqfd").contains(part);
  };
  llvm::SmallVector<llvm::Type*> types = resultTypes(statement);
  if (types.size() != outputs || parts.size() < operands) return &statement;  // an operand in memory
  const llvm::BitVector written = writtenInputs(text.getAsmString(), outputs, operands);

  std::string results, inputs;
  for (unsigned i = 0; i != parts.size(); ++i) {
    std::string part = parts[i].str();
    if (i < operands && written[i] && isRegister(parts[i])) {
      results += ",=" + part;
      part = std::to_string(types.size());
      types.push_back(statement.getArgOperand(i - outputs)->getType());
    }
    (i < outputs ? results : inputs) += "," + part;
  }
  const auto more = static_cast<unsigned>(types.size() - outputs);
  if (more == 0) return &statement;
  llvm::IRBuilder<> builder(&statement);
  llvm::Type* const result = types.size() == 1 ? types.front() : llvm::StructType::get(builder.getContext(), types);
  llvm::SmallVector<llvm::Value*> arguments(statement.args());
  llvm::SmallVector<llvm::Type*> parameters;
  for (const llvm::Value* argument : arguments) parameters.push_back(argument->getType());
  llvm::InlineAsm* const own = llvm::InlineAsm::get(
      llvm::FunctionType::get(result, parameters, false), renumbered(text.getAsmString(), outputs, more),
      (results + inputs).substr(1), text.hasSideEffects(), text.isAlignStack(), text.getDialect(), text.canThrow());
  llvm::CallInst* const call = builder.CreateCall(own, arguments);
  call->setAttributes(llvm::AttributeList::get(
      builder.getContext(), llvm::AttributeList::FunctionIndex,
      llvm::AttrBuilder(builder.getContext(), statement.getAttributes().getFnAttrs())));
  call->copyMetadata(statement);
  call->setDebugLoc(statement.getDebugLoc());
  if (outputs == 1) {
    statement.replaceAllUsesWith(builder.CreateExtractValue(call, 0));
  } else if (outputs > 1) {
    llvm::Value* all = llvm::PoisonValue::get(statement.getType());
    for (unsigned i = 0; i != outputs; ++i)
      all = builder.CreateInsertValue(all, builder.CreateExtractValue(call, i), i);
    statement.replaceAllUsesWith(all);
  }
  statement.eraseFromParent();
  return call;
}

}  // namespace lathe::dialects::ptx
