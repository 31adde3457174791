// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel's head: its qualifiers and parameters, the memory that its group and its items have, and a variable for each
// value that lives longer than a block.
#include "core/emit/text/function_text.h"

#include "core/portable/vocabulary.h"

namespace lathe::detail {
namespace {

/// True if all uses are where the value is computed; what a phi takes is used at the end of the block before.
bool staysInBlock(const llvm::Instruction& instruction) {
  return llvm::all_of(instruction.uses(), [&](const llvm::Use& use) {
    const auto* const phi = llvm::dyn_cast<llvm::PHINode>(use.getUser());
    const llvm::BasicBlock* const block =
        phi ? phi->getIncomingBlock(use) : llvm::cast<llvm::Instruction>(use.getUser())->getParent();
    return block == instruction.getParent();
  });
}

/// True if the phi may be assigned before its block begins: control comes from blocks that lead nowhere else, and no
/// phi beside it takes its old value.
bool isDirect(const llvm::PHINode& phi) {
  for (const llvm::BasicBlock* from : phi.blocks()) {
    if (from->getUniqueSuccessor() != phi.getParent()) return false;
  }
  return llvm::none_of(phi.getParent()->phis(),
                       [&](const llvm::PHINode& other) { return llvm::is_contained(other.incoming_values(), &phi); });
}

bool usesIn(const llvm::Value& value, const llvm::Function& function) {
  return llvm::any_of(value.users(), [&](const llvm::User* user) {
    const auto* const instruction = llvm::dyn_cast<llvm::Instruction>(user);
    return instruction ? instruction->getFunction() == &function : usesIn(*user, function);
  });
}

}  // namespace

FunctionText::FunctionText(Spelling& spelling, llvm::Function& function)
    : spelling_(spelling), function_(function), dominators_(function), loops_(dominators_) {
  const llvm::ReversePostOrderTraversal<const llvm::Function*> blocks(&function);
  for (const llvm::BasicBlock* block : blocks) order_.try_emplace(block, order_.size());
}

/// Parameters as the kernel has them. By-value structures are copied: their address is memory of the item.
std::string FunctionText::parameters() {
  std::string out;
  const unsigned group = spelling_.lowering().descriptor.addressSpaces.group;
  unsigned buffers = 0;
  for (const llvm::Argument& argument : function_.args()) {
    llvm::Type& type = *argument.getType();
    const std::string name = "a" + std::to_string(argument.getArgNo());
    names_[&argument] = name;
    Holes holes = {{"name", name}, {"index", std::to_string(buffers++)}};
    std::string_view key = "value";
    if (argument.hasByValAttr()) {
      key = "aggregate";
      const std::uint64_t bytes = function_.getDataLayout().getTypeAllocSize(argument.getParamByValType());
      const std::string structure = spelling_.bytesStruct(bytes, argument.getParamAlign().valueOrOne());
      holes["type"] = structure;
      holes["name"] = name + "_given";
      line(structure + " " + name + "_copy = " + name + "_given;");
      const std::string pointer = spelling_.type(type);
      line(pointer + name + " = (" + pointer + ")&" + name + "_copy;");
    } else {
      holes["type"] = spelling_.type(type);
      if (type.isPointerTy()) key = type.getPointerAddressSpace() == group ? "group_pointer" : "pointer";
    }
    out += (out.empty() ? "" : ", ") + spelling_.declaration(key, "this parameter of a kernel", holes);
  }
  const auto more = spelling_.rules().declarations.find("more_parameters");
  if (more != spelling_.rules().declarations.end()) out += (out.empty() ? "" : ", ") + more->second;
  return out;
}

/// The memory of the group that the kernel uses: text declares it in the kernel.
void FunctionText::declareShared() {
  const unsigned group = spelling_.lowering().descriptor.addressSpaces.group;
  for (const llvm::GlobalVariable& variable : function_.getParent()->globals()) {
    if (variable.getAddressSpace() == group && usesIn(variable, function_)) line(variableText(spelling_, variable));
  }
}

void FunctionText::declareValues() {
  unsigned count = 0;
  const auto initial = [](const llvm::Type& type) { return type.isAggregateType() ? "" : " = 0"; };
  for (const llvm::Instruction& instruction : llvm::instructions(function_)) {
    llvm::Type& type = *instruction.getType();
    if (type.isVoidTy()) continue;
    const std::string name = "v" + std::to_string(count++);
    names_[&instruction] = name;
    spelling_.at = &instruction;
    if (const auto* const slot = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
      const llvm::DataLayout& layout = function_.getDataLayout();
      const auto bytes = slot->getAllocationSize(layout);
      if (!slot->isStaticAlloca() || !bytes) {
        spelling_.report("a local array of run-time size", "give the array a constant size");
        continue;
      }
      line(spelling_.declaration("local", "local variables",
                                 {{"space", spelling_.space(slot->getAddressSpace())},
                                  {"type", spelling_.rules().types.at("i8")},
                                  {"name", name},
                                  {"bytes", std::to_string(std::max<std::uint64_t>(bytes->getFixedValue(), 1))},
                                  {"align", std::to_string(slot->getAlign().value())}}));
      names_[&instruction] = "((" + spelling_.type(type) + ")" + name + ")";
      continue;
    }
    const auto* const phi = llvm::dyn_cast<llvm::PHINode>(&instruction);
    const bool members = type.isAggregateType() || llvm::isa<llvm::ExtractValueInst>(instruction);
    if (!phi && !members && staysInBlock(instruction)) {
      local_.insert(&instruction);
      continue;
    }
    const std::string spelled = spelling_.type(type);
    const std::string space = spelled.back() == '*' ? "" : " ";
    line(spelled + space + name + initial(type) + ";");
    if (!phi) continue;
    if (isDirect(*phi))
      direct_.insert(phi);
    else
      line(spelled + space + name + "_next" + initial(type) + ";");
  }
}

std::string FunctionText::write() {
  spelling_.at = &function_.getEntryBlock().front();
  const std::string list = parameters();
  declareShared();
  declareValues();
  writeTree(function_.getEntryBlock(), {});
  std::string qualifiers;
  for (const auto& [key, pattern] : spelling_.rules().qualifiers) {
    const llvm::MDNode* const numbers = function_.getMetadata(key);
    if (!numbers) continue;
    std::string all;
    for (const llvm::MDOperand& operand : numbers->operands()) {
      const auto* const number = llvm::mdconst::dyn_extract<llvm::ConstantInt>(operand);
      if (number) all += (all.empty() ? "" : ", ") + std::to_string(number->getZExtValue());
    }
    qualifiers += filled(pattern, {{"args", all}}) + " ";
  }
  const std::string head = spelling_.declaration(
      "kernel", "kernels", {{"name", function_.getName().str()}, {"parameters", list}, {"qualifiers", qualifiers}});
  return head + " {\n" + body_ + "}\n";
}

}  // namespace lathe::detail
