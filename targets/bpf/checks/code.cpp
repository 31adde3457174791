// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs as the checks see them: their functions, the code that is certain to be verified, ways through it, maps.
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsBPF.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

#include "targets/bpf/checks/checks.h"

namespace lathe::targets::bpf {
namespace {

constexpr unsigned mostValues = 200;  // of an expression that is looked at

SourceLocation placeOf(const llvm::DILocation* at) {
  return at ? SourceLocation{at->getFilename().str(), at->getLine(), at->getColumn()} : SourceLocation{};
}

const llvm::DIType* plain(const llvm::DIType* type) {
  while (const auto* const derived = llvm::dyn_cast_or_null<llvm::DIDerivedType>(type)) {
    const unsigned tag = derived->getTag();
    if (tag != llvm::dwarf::DW_TAG_typedef && tag != llvm::dwarf::DW_TAG_const_type &&
        tag != llvm::dwarf::DW_TAG_volatile_type)
      break;
    type = derived->getBaseType();
  }
  return type;
}

/// `int (*member)[N]`: N.
std::uint64_t countOf(const llvm::DIType* pointer) {
  const auto* const array = llvm::dyn_cast_or_null<llvm::DICompositeType>(plain(pointer));
  if (!array || array->getTag() != llvm::dwarf::DW_TAG_array_type || array->getElements().size() != 1) return 0;
  const auto* const range = llvm::dyn_cast<llvm::DISubrange>(array->getElements()[0]);
  const auto* const count = range ? llvm::dyn_cast_or_null<llvm::ConstantInt*>(range->getCount()) : nullptr;
  return count ? count->getZExtValue() : 0;
}

void readMembers(const llvm::DICompositeType& map, MapDefinition& out) {
  for (const llvm::DINode* const element : map.getElements()) {
    const auto* const member = llvm::dyn_cast<llvm::DIDerivedType>(element);
    const llvm::DIType* const type = member ? plain(member->getBaseType()) : nullptr;
    if (const auto* const base = llvm::dyn_cast_or_null<llvm::DICompositeType>(type)) {
      if (member->getName().starts_with("base_")) readMembers(*base, out);
      continue;
    }
    const auto* const pointer = llvm::dyn_cast_or_null<llvm::DIDerivedType>(type);
    if (!pointer || pointer->getTag() != llvm::dwarf::DW_TAG_pointer_type) continue;
    const llvm::DIType* const to = plain(pointer->getBaseType());
    constexpr unsigned byteBits = 8;
    const llvm::StringRef name = member->getName();
    if (name == "type") out.kind = countOf(to);
    if (name == "max_entries") out.entries = countOf(to);
    if (name == "key_size") out.keyBytes = countOf(to);
    if (name == "value_size") out.valueBytes = countOf(to);
    if (name == "key" && to) out.keyBytes = to->getSizeInBits() / byteBits;
    if (name == "value" && to) out.valueBytes = to->getSizeInBits() / byteBits;
  }
}

/// Whether one of `tests` was looked at where `condition` is `value`: both halves of `a || b` have been where it is
/// false, and perhaps only one of them where it is true.
bool isTested(const llvm::Value* condition, bool value, const llvm::SmallPtrSetImpl<const llvm::Value*>& tests) {
  const auto* const logic = llvm::dyn_cast<llvm::Instruction>(condition);
  if (logic && logic->getType()->isIntegerTy(1)) {
    using namespace llvm::PatternMatch;
    const llvm::Value *a = nullptr, *b = nullptr;
    const bool isAnd = match(logic, m_LogicalAnd(m_Value(a), m_Value(b)));
    if (isAnd || match(logic, m_LogicalOr(m_Value(a), m_Value(b)))) {
      const bool first = isTested(a, value, tests), second = isTested(b, value, tests);
      return isAnd == value ? first || second : first && second;
    }
    if (match(logic, m_Not(m_Value(a)))) return isTested(a, !value, tests);
  }
  return dependsOn(condition, tests);
}

}  // namespace

int Findings::level(std::string_view check, int byDefault) const {
  const auto found = parameters_.find("warn." + std::string(check));
  int level = byDefault;
  if (found == parameters_.end() || llvm::StringRef(found->second).getAsInteger(0, level)) return byDefault;
  return level;
}

void Findings::add(std::string_view check, const llvm::Instruction& at, const llvm::Function& program,
                   std::string message, std::string hint, int byDefault) {
  const std::size_t before = out_.size();
  add(check, placeOf(at.getDebugLoc().get()), std::move(message), std::move(hint), byDefault);
  if (out_.size() != before)
    out_.back().notes.push_back({.message = "in program '" + program.getName().str() + "'", .location = {}});
}

void Findings::add(std::string_view check, SourceLocation at, std::string message, std::string hint, int byDefault) {
  const int wanted = level(check, byDefault);
  if (wanted <= 0) return;
  out_.push_back({.severity = wanted == 1 ? Severity::warning : Severity::error,
                  .code = ErrorCode::Unsupported,
                  .message = std::move(message) + " [warn." + std::string(check) + "]",
                  .location = std::move(at),
                  .snippet = {},
                  .notes = {},
                  .hint = std::move(hint)});
}

unsigned helperOf(const llvm::CallBase& call) {
  const auto* const address = llvm::dyn_cast<llvm::ConstantExpr>(call.getCalledOperand());
  if (!address || address->getOpcode() != llvm::Instruction::IntToPtr) return 0;
  const auto* const number = llvm::dyn_cast<llvm::ConstantInt>(address->getOperand(0));
  constexpr unsigned end = 256;  // helpers end at 211, and the kernel adds none
  return number && number->getValue().ult(end) ? static_cast<unsigned>(number->getZExtValue()) : 0;
}

bool knownAtLoad(const llvm::Value* value, const llvm::Function& program) {
  llvm::SmallVector<const llvm::Value*> open{value};
  llvm::SmallPtrSet<const llvm::Value*, 16> seen;
  while (!open.empty()) {
    const llvm::Value* const one = open.pop_back_val();
    if (!seen.insert(one).second) continue;
    if (seen.size() > mostValues) return true;
    if (const auto* const argument = llvm::dyn_cast<llvm::Argument>(one)) {
      if (argument->getParent() != &program) return true;
      continue;
    }
    if (const auto* const variable = llvm::dyn_cast<llvm::GlobalVariable>(one)) {
      // Other variables are read from memory that programs and processes write.
      const bool isOwn = variable->hasInitializer() && !variable->isConstant() && !variable->hasSection();
      if (!isOwn && variable->getSection() != ".maps") return true;
      continue;
    }
    if (llvm::isa<llvm::GlobalValue, llvm::AllocaInst>(one)) return true;
    if (const auto* const phi = llvm::dyn_cast<llvm::PHINode>(one)) {
      const auto isConstant = [](const llvm::Value* in) { return llvm::isa<llvm::Constant>(in); };
      if (llvm::any_of(phi->incoming_values(), isConstant)) return true;
    }
    if (const auto* const call = llvm::dyn_cast<llvm::CallBase>(one)) {
      // What a helper returns or the context holds is known at run time.
      if (helperOf(*call) != 0 || isMemberRead(*call)) continue;
      const llvm::Function* const callee = call->getCalledFunction();
      if (!callee || !callee->isIntrinsic() || callee->getName().starts_with("llvm.bpf")) return true;
    }
    if (const auto* const user = llvm::dyn_cast<llvm::User>(one)) open.append(user->op_begin(), user->op_end());
  }
  return false;
}

ProgramCode codeOf(llvm::Function& program) {
  ProgramCode out;
  out.entry = &program;
  llvm::SetVector<llvm::Function*> functions;
  functions.insert(&program);
  for (std::size_t i = 0; i < functions.size(); ++i) {
    llvm::Function& function = *functions[i];
    llvm::SmallVector<llvm::BasicBlock*> open{&function.getEntryBlock()};
    out.certain.insert(open.front());
    while (!open.empty()) {
      llvm::BasicBlock& block = *open.pop_back_val();
      for (llvm::Instruction& instruction : block) {
        auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        if (!call || llvm::isa<llvm::IntrinsicInst>(call)) continue;
        // What a function of the kernel's is given runs elsewhere, where other rules hold.
        const llvm::Function* const called = call->getCalledFunction();
        if (called && called->isDeclaration() && called->getSection() == ".ksyms") continue;
        for (llvm::Value* const operand : call->operand_values()) {  // the callee, and callbacks, which a helper calls
          auto* const callee = llvm::dyn_cast<llvm::Function>(operand->stripPointerCasts());
          if (callee && !callee->isDeclaration()) functions.insert(callee);
        }
      }
      const llvm::Instruction& end = *block.getTerminator();
      if (end.getNumSuccessors() > 1 && knownAtLoad(end.getOperand(0), program)) continue;
      for (llvm::BasicBlock* next : llvm::successors(&block))
        if (out.certain.insert(next).second) open.push_back(next);
    }
  }
  out.functions.assign(functions.begin(), functions.end());
  return out;
}

bool isMemberRead(const llvm::CallBase& call) {
  return call.getIntrinsicID() == llvm::Intrinsic::bpf_getelementptr_and_load;
}

llvm::SmallPtrSet<const llvm::Value*, 8> leavesOf(const llvm::Value* condition) {
  llvm::SmallPtrSet<const llvm::Value*, 8> leaves;
  llvm::SmallPtrSet<const llvm::Value*, 16> seen;
  llvm::SmallVector<const llvm::Value*> open{condition};
  while (!open.empty()) {
    const llvm::Value* const one = open.pop_back_val();
    if (llvm::isa<llvm::Constant>(one) || !seen.insert(one).second || seen.size() > mostValues) continue;
    const auto* const call = llvm::dyn_cast<llvm::CallBase>(one);
    const auto* const user = llvm::dyn_cast<llvm::Instruction>(one);
    const bool isCalled = call && (!llvm::isa<llvm::IntrinsicInst>(call) || isMemberRead(*call));
    if (!user || llvm::isa<llvm::LoadInst, llvm::AllocaInst>(one) || isCalled)
      leaves.insert(one);
    else
      open.append(user->value_op_begin(), user->value_op_end());
  }
  return leaves;
}

bool dependsOn(const llvm::Value* value, const llvm::SmallPtrSetImpl<const llvm::Value*>& from) {
  llvm::SmallPtrSet<const llvm::Value*, 16> seen;
  llvm::SmallVector<const llvm::Value*> open{value};
  while (!open.empty()) {
    const llvm::Value* const one = open.pop_back_val();
    if (from.contains(one)) return true;
    if (llvm::isa<llvm::Constant>(one) || !seen.insert(one).second) continue;
    if (seen.size() > mostValues) return true;
    const auto* const call = llvm::dyn_cast<llvm::CallBase>(one);
    if (llvm::isa<llvm::LoadInst, llvm::AllocaInst>(one) || (call && isMemberRead(*call))) continue;
    if (const auto* const user = llvm::dyn_cast<llvm::Instruction>(one))
      open.append(user->value_op_begin(), user->value_op_end());
  }
  return false;
}

bool reachesUntested(const ProgramCode& code, const llvm::Instruction& from, const llvm::Instruction& to,
                     const llvm::SmallPtrSetImpl<const llvm::Value*>& tests) {
  const llvm::BasicBlock* const first = from.getParent();
  const llvm::BasicBlock* const last = to.getParent();
  if (!code.certain.contains(first) || !code.certain.contains(last)) return false;
  if (first == last && from.comesBefore(&to)) return true;
  llvm::DenseMap<const llvm::BasicBlock*, const llvm::BasicBlock*> cameFrom;
  llvm::SmallVector<const llvm::BasicBlock*> open{first};
  for (std::size_t i = 0; i < open.size() && !cameFrom.contains(last); ++i) {
    const llvm::Instruction& end = *open[i]->getTerminator();
    for (unsigned edge = 0; edge < end.getNumSuccessors(); ++edge) {
      if (end.getNumSuccessors() > 1 && isTested(end.getOperand(0), edge == 0, tests)) continue;
      const llvm::BasicBlock* const next = end.getSuccessor(edge);
      if (next == first || !code.certain.contains(next) || !cameFrom.try_emplace(next, open[i]).second) continue;
      open.push_back(next);
    }
  }
  if (!cameFrom.contains(last)) return false;
  // Branches on the way, and those that were taken for certain before it.
  llvm::SmallPtrSet<const llvm::Value*, 16> decided;
  const auto agrees = [&](const llvm::BasicBlock* block) {
    const llvm::Instruction& end = *block->getTerminator();
    if (end.getNumSuccessors() < 2) return true;
    for (const llvm::Value* const leaf : leavesOf(end.getOperand(0)))
      if (!decided.insert(leaf).second) return false;
    return true;
  };
  llvm::SmallPtrSet<const llvm::BasicBlock*, 16> before;
  for (const llvm::BasicBlock* at = first->getSinglePredecessor(); at && before.insert(at).second;
       at = at->getSinglePredecessor())
    (void)agrees(at);
  for (const llvm::BasicBlock* at = last; at != first;) {
    at = cameFrom.lookup(at);
    if (!agrees(at)) return false;
  }
  return true;
}

std::optional<MapDefinition> mapOf(const llvm::Value* value) {
  const auto* const variable = llvm::dyn_cast<llvm::GlobalVariable>(value->stripPointerCasts());
  if (!variable || variable->getSection() != ".maps") return std::nullopt;
  llvm::SmallVector<llvm::DIGlobalVariableExpression*> described;
  variable->getDebugInfo(described);
  if (described.empty()) return std::nullopt;
  const auto* const type = llvm::dyn_cast_or_null<llvm::DICompositeType>(plain(described[0]->getVariable()->getType()));
  if (!type) return std::nullopt;
  MapDefinition out;
  readMembers(*type, out);
  return out;
}

SourceLocation declarationOf(const llvm::GlobalValue& value) {
  if (const auto* const function = llvm::dyn_cast<llvm::Function>(&value)) {
    const llvm::DISubprogram* const at = function->getSubprogram();
    return at ? SourceLocation{at->getFilename().str(), at->getLine(), 0} : SourceLocation{};
  }
  llvm::SmallVector<llvm::DIGlobalVariableExpression*> described;
  llvm::cast<llvm::GlobalVariable>(value).getDebugInfo(described);
  if (described.empty()) return {};
  return {described[0]->getVariable()->getFilename().str(), described[0]->getVariable()->getLine(), 0};
}

}  // namespace lathe::targets::bpf
