// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic operations, with a result and without, and fences.
#include "dialects/cuda/ptx/address.h"
#include "dialects/cuda/ptx/instructions.h"

namespace lathe::dialects::ptx {
namespace {

/// The entry of the device ABI for an operation on a type, without `atomic_`; empty: there is none.
std::string entryOf(llvm::StringRef operation, Type type) {
  const std::string width = std::to_string(type.bits);
  const bool wide = type.bits == 32 || type.bits == 64;
  if (type.isReal())
    return operation == "add" && wide && !type.isPair && type.kind == Kind::real ? "add_f" + width : "";
  if (operation == "cas" && type.bits == 16) return "cas_i16";
  if (!wide) return "";
  if (operation == "inc" || operation == "dec") return type.bits == 32 ? (operation + "_i32").str() : "";
  if (operation == "exch") return "exchange_i" + width;
  if ((operation == "min" || operation == "max") && !type.isSigned()) return ("u" + operation + "_i").str() + width;
  return (operation + "_i").str() + width;
}

}  // namespace

void atomic(Emitter& e, Words& words, const Instruction& in) {
  const bool hasResult = in.words.front() == "atom";
  const Order order = takeOrder(words);
  const llvm::StringRef space = words.takeOneOf({"global", "shared", "shared::cta"});
  (void)words.take("noftz");
  words.takeAll("L2::");
  const llvm::StringRef operation =
      words.takeOneOf({"add", "and", "or", "xor", "exch", "cas", "min", "max", "inc", "dec"});
  const Type type = words.takeType(e);
  const std::string entry = operation.empty() ? "" : entryOf(operation, type);
  const unsigned first = hasResult ? 1 : 0, operands = first + (operation == "cas" ? 3 : 2);
  if (entry.empty() || in.operands.size() != operands)
    return e.refuseThis("this form has no translation", "use CUDA's atomic functions, atomicAdd and its like");
  llvm::Value* const pointer =
      memoryOperand(e, in.operands[first], space.starts_with("shared") ? Space::shared : Space::generic);
  llvm::SmallVector<llvm::Value*> arguments = {pointer};
  for (unsigned i = first + 1; i < operands; ++i) arguments.push_back(e.read(in.operands[i], type));
  arguments.push_back(e.number(32, order.order));
  arguments.push_back(e.number(32, order.scope));
  llvm::Value* const old = e.callAbi("atomic_" + entry, e.irType(type), arguments);
  if (hasResult) e.write(in.operands[0], old, type);
}

void fence(Emitter& e, Words& words, const Instruction& in) {
  constexpr unsigned acquireAndRelease = 3, sequential = 4;
  const bool isOld = in.words.front() == "membar";
  if (isOld) (void)words.take("gl");  // the device, which is also what no scope means
  const bool isStrong = words.has("sc") || isOld;
  Order order = takeOrder(words);
  order.order = isStrong ? sequential : acquireAndRelease;
  e.callAbi("fence", e.ir().getVoidTy(), {e.number(32, order.order), e.number(32, order.scope)});
}

}  // namespace lathe::dialects::ptx
