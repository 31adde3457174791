// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instructions as statements: memory, atomics, calls, and structures, which are held member by member.
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/ValueTracking.h"

#include "core/emit/text/function_text.h"
#include "core/support/llvm_bridge.h"

namespace lathe::detail {
namespace {

/// The number in whose form a value goes through memory: addresses and bits have no other there.
llvm::Type& storedType(llvm::Type& type, const llvm::DataLayout& layout) {
  if (type.isPointerTy()) return *layout.getIntPtrType(&type);
  return type.isIntegerTy(1) ? *llvm::Type::getInt8Ty(type.getContext()) : type;
}

bool isIgnored(const llvm::CallInst& call) {
  const auto* const intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call);
  return intrinsic && (intrinsic->isAssumeLikeIntrinsic() || intrinsic->isLifetimeStartOrEnd()) &&
         call.getType()->isVoidTy();
}

/// A text of C's for constant characters.
std::string quoted(llvm::StringRef text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (code >= 32 && code < 127 && c != '"' && c != '\\' && c != '?') {
      out += c;
      continue;
    }
    // Three digits: whatever stands behind is not taken for more.
    const char octal[] = {'\\', static_cast<char>('0' + code / 64), static_cast<char>('0' + code / 8 % 8),
                          static_cast<char>('0' + code % 8), '\0'};
    out += octal;
  }
  return out + "\"";
}

}  // namespace

void FunctionText::line(const std::string& text) {
  // Each line: the next of the text is the next of the source for those who read it.
  const bool isMarked = spelling_.at && spelling_.lowering().job.options.debugInfo;
  if (const SourceLocation where = isMarked ? locationOf(*spelling_.at) : SourceLocation{}; where.line != 0)
    body_ += "#line " + std::to_string(where.line) + " " + quoted(llvm::StringRef(where.file)) + "\n";
  body_.append(2 * depth_, ' ') += text + "\n";
}

void FunctionText::define(const llvm::Instruction& instruction, const std::string& value) {
  const std::string& name = names_.at(&instruction);
  if (!local_.contains(&instruction)) return line(name + " = " + value + ";");
  const std::string type = spelling_.type(*instruction.getType());
  line((instruction.getType()->isPointerTy() ? type : "const " + type + " ") + name + " = " + value + ";");
}

std::string FunctionText::scopeText(llvm::SyncScope::ID scope, bool isFence) {
  llvm::SmallVector<llvm::StringRef> names;
  function_.getContext().getSyncScopeNames(names);
  const std::string name = names[scope].str();
  const auto found = spelling_.rules().scopes.find(name);
  if (found != spelling_.rules().scopes.end()) return found->second;
  // In the words of the device ABI, of which this is a fence or the order of an atomic.
  const auto& scopes = spelling_.lowering().descriptor.syncScopes;
  const auto known = std::ranges::find(scopes, name, &std::pair<const std::string, std::string>::second);
  const std::string word = known == scopes.end() ? name : known->first;
  if (!isFence)
    spelling_.report("an atomic operation of the scope '" + word + "'", "choose another scope");
  else
    spelling_.report("fence of the scope '" + word + "', an order that its items see, does not exist",
                     "let the kernel end, wait at a barrier of the group, or use an atomic that orders nothing else "
                     "(relaxed)");
  return {};
}

void FunctionText::writeLoad(const llvm::LoadInst& load) {
  llvm::Type& type = *load.getType();
  llvm::Type& stored = storedType(type, function_.getDataLayout());
  const std::string pointer = use(*load.getPointerOperand());
  const std::string space = spelling_.space(load.getPointerAddressSpace());
  std::string value = "*(" + std::string(load.isVolatile() ? "volatile " : "") + space +
                      spelling_.access(stored, load.getAlign()) + " *)" + pointer;
  if (type.isPointerTy()) value = "(" + spelling_.type(type) + ")" + value;
  if (type.isIntegerTy(1)) value = "(" + value + " & 1) != 0";
  define(load, value);
}

void FunctionText::writeStore(const llvm::StoreInst& store) {
  const llvm::Value& value = *store.getValueOperand();
  llvm::Type& type = *value.getType();
  llvm::Type& stored = storedType(type, function_.getDataLayout());
  const std::string cast = &stored == &type ? "" : "(" + spelling_.type(stored) + ")";
  const std::string place = "*(" + std::string(store.isVolatile() ? "volatile " : "") +
                            spelling_.space(store.getPointerAddressSpace()) +
                            spelling_.access(stored, store.getAlign()) + " *)" + use(*store.getPointerOperand());
  line(place + " = " + cast + use(value) + ";");
}

/// Atomic instructions are calls by template; numbers and addresses go through them as unsigned numbers.
void FunctionText::writeAtomic(const llvm::Instruction& instruction) {
  const llvm::SyncScope::ID scopeNumber = *llvm::getAtomicSyncScopeID(&instruction);
  const auto scopeOf = [&](std::string_view name) {
    const auto rule = spelling_.function(name);
    if (!rule || rule->first.find("{scope}") == std::string_view::npos) return std::string();
    return scopeText(scopeNumber, llvm::isa<llvm::FenceInst>(instruction));
  };
  if (const auto* const fence = llvm::dyn_cast<llvm::FenceInst>(&instruction)) {
    // Within an item its own order holds already.
    if (fence->getSyncScopeID() == llvm::SyncScope::SingleThread) return;
    const std::string order = llvm::toIRString(fence->getOrdering());
    const auto text = templated("fence." + order, *fence->getType(), {}, {{"scope", scopeOf("fence." + order)}});
    if (text) return line(*text + ";");
    return spelling_.report("fence of the order '" + order + "' does not exist",
                            "synchronise by a barrier of the group");
  }
  const auto* const load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
  const auto* const store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
  const auto* const change = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction);
  const auto* const exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction);
  llvm::Type& type = exchange            ? *exchange->getCompareOperand()->getType()
                     : change != nullptr ? *change->getType()
                                         : *llvm::getLoadStoreType(&instruction);
  llvm::Type& number =
      type.isIntegerTy()
          ? storedType(type, function_.getDataLayout())
          : *llvm::Type::getIntNTy(type.getContext(),
                                   static_cast<unsigned>(function_.getDataLayout().getTypeSizeInBits(&type)));
  std::string name = load ? "load" : store ? "store" : exchange ? "cmpxchg" : "";
  if (change) name = "atomicrmw." + llvm::AtomicRMWInst::getOperationName(change->getOperation()).str();
  const auto asNumber = [&](const llvm::Value& value) {
    if (&number == &type) return use(value);
    if (type.isPointerTy()) return "(" + spelling_.type(number) + ")" + use(value);
    const auto bits = spelling_.rules().bits.find(typeKey(number));
    return bits == spelling_.rules().bits.end() ? "?" : filled(bits->second, {{"0", use(value)}});
  };
  const auto* const pointer = llvm::cast<llvm::Value>(instruction.getOperand(store ? 1 : 0));
  Holes holes = {{"0", use(*pointer)},
                 {"space", spelling_.space(pointer->getType()->getPointerAddressSpace())},
                 {"type", spelling_.type(number)},
                 {"stype", spelling_.signedType(number)}};
  const llvm::Value* const operand = store      ? store->getValueOperand()
                                     : change   ? change->getValOperand()
                                     : exchange ? exchange->getCompareOperand()
                                                : nullptr;
  if (operand) holes["1"] = asNumber(*operand);
  if (operand) holes["s1"] = "(" + spelling_.signedType(number) + ")" + asNumber(*operand);
  if (exchange) holes["2"] = asNumber(*exchange->getNewValOperand());
  if (exchange && &number != &type) return spelling_.report("compare and exchange of an address", "use a number");
  if (!instruction.getType()->isVoidTy()) holes["result"] = names_.at(&instruction);
  const std::string rule = name + ".atomic." + typeKey(number);
  holes["scope"] = scopeOf(rule);
  const auto text = templated(rule, *instruction.getType(), {}, holes);
  if (!text)
    return spelling_.report("the atomic operation '" + name + "' of " + typeKey(number), "use 32 bits, or a barrier");
  if (exchange || store) return line(*text + ";");
  std::string value = "(" + spelling_.type(number) + ")" + *text;
  if (type.isPointerTy()) value = "(" + spelling_.type(type) + ")" + value;
  if (type.isFloatingPointTy()) value = filled(spelling_.rules().bits.at(typeKey(type)), {{"0", value}});
  define(instruction, value);
}

void FunctionText::writeCall(const llvm::CallInst& call) {
  if (isIgnored(call)) return;
  const llvm::Function* const callee = call.getCalledFunction();
  if (!callee) return spelling_.report("a call through a pointer", "make the callee known at compile time");
  std::string value = simpleIntrinsic(call);
  if (value.empty()) {
    const std::string name = callee->getName().str();
    Holes holes;
    std::string texts;
    const bool prints = name == spelling_.lowering().descriptor.print.function;
    for (const llvm::Use& argument : call.args()) {
      llvm::StringRef text;
      const bool isText = prints && argument->getType()->isPointerTy() && llvm::getConstantStringInfo(argument, text);
      texts += (texts.empty() ? "" : ", ") + (isText ? quoted(text) : use(*argument));
    }
    if (prints) holes.emplace("args", texts);
    const auto text = templated(name, *call.getType(), llvm::SmallVector<const llvm::Value*>(call.args()), holes);
    if (!text) return spelling_.report("the function '" + demangled(name) + "'", "write it otherwise");
    value = *text;
  }
  if (call.getType()->isVoidTy())
    line(value + ";");
  else
    define(call, value);
}

/// Assigns a value to a variable, member by member where it is a structure that has no variable itself.
void FunctionText::assignMembers(const std::string& place, const llvm::Value& value) {
  if (llvm::isa<llvm::UndefValue>(value)) return;
  const auto* const constant = llvm::dyn_cast<llvm::Constant>(&value);
  if (!value.getType()->isAggregateType() || !constant) return line(place + " = " + use(value) + ";");
  for (unsigned i = 0; const llvm::Constant* element = constant->getAggregateElement(i); ++i)
    assignMembers(place + ".f" + std::to_string(i), *element);
}

void FunctionText::writeMembers(const llvm::Instruction& instruction) {
  const std::string& name = names_.at(&instruction);
  const auto path = [](llvm::ArrayRef<unsigned> indices) {
    std::string out;
    for (const unsigned index : indices) out += ".f" + std::to_string(index);
    return out;
  };
  if (const auto* const part = llvm::dyn_cast<llvm::ExtractValueInst>(&instruction)) {
    const llvm::Value& whole = *part->getAggregateOperand();
    if (names_.contains(&whole)) return line(name + " = " + use(whole) + path(part->getIndices()) + ";");
    const auto* element = llvm::dyn_cast<llvm::Constant>(&whole);
    for (const unsigned index : part->getIndices()) element = element ? element->getAggregateElement(index) : nullptr;
    if (!element) return spelling_.report("a member of this constant", "compute it in the kernel");
    return assignMembers(name, *element);
  }
  if (const auto* const insertion = llvm::dyn_cast<llvm::InsertValueInst>(&instruction)) {
    assignMembers(name, *insertion->getAggregateOperand());
    return assignMembers(name + path(insertion->getIndices()), *insertion->getInsertedValueOperand());
  }
  if (llvm::isa<llvm::FreezeInst>(instruction)) return assignMembers(name, *instruction.getOperand(0));
  const auto* const select = llvm::dyn_cast<llvm::SelectInst>(&instruction);
  if (!select) return spelling_.report("a structure as a value", "keep it in memory");
  line("if (" + use(*select->getCondition()) + ") {");
  ++depth_;
  assignMembers(name, *select->getTrueValue());
  --depth_;
  line("} else {");
  ++depth_;
  assignMembers(name, *select->getFalseValue());
  --depth_;
  line("}");
}

void FunctionText::write(const llvm::Instruction& instruction) {
  if (llvm::isa<llvm::AllocaInst>(instruction) || isFused(instruction)) return;  // declared; part of another
  if (instruction.isAtomic()) return writeAtomic(instruction);
  if (const auto* const load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) return writeLoad(*load);
  if (const auto* const store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) return writeStore(*store);
  if (const auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction)) return writeCall(*call);
  if (llvm::isa<llvm::ExtractValueInst>(instruction) || instruction.getType()->isAggregateType())
    return writeMembers(instruction);
  if (instruction.getType()->isVoidTy())
    return spelling_.report("the instruction '" + std::string(instruction.getOpcodeName()) + "'", "write it otherwise");
  define(instruction, expression(instruction));
}

}  // namespace lathe::detail
