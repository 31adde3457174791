// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Order and scope of PTX's `atom` (PTX ISA 9.0, section 9.7.13.6, and chapter 8, the memory consistency model). LLVM 22
// selects `atom.op` without qualifiers, which is relaxed and of the device, for every atomicrmw that PTX has an
// instruction for (github.com/llvm/llvm-project/pull/179553 mends it in LLVM 23: this file can go then). It is right
// for compare and exchange, for what it writes as a loop around that, and for loads, stores and fences.
//
//   before: %o = atomicrmw add ptr addrspace(1) %p, i32 %v syncscope("block") seq_cst
//   after:  fence syncscope("block") seq_cst
//           %o = call i32 asm sideeffect "atom.acquire.cta.global.add.u32 $0, [$1], $2;"(ptr addrspace(1) %p, i32 %v)
//
// A sequentially consistent one is a fence and an acquiring one, as NVIDIA's own library has it (Lustig et al., "A
// Formal Analysis of the NVIDIA PTX Memory Consistency Model", ASPLOS 2019).
#include "targets/cuda/atomics.h"

#include <optional>
#include <string>

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include "targets/cuda/registers.h"

namespace lathe::targets {
namespace {

using Rmw = llvm::AtomicRMWInst;

constexpr unsigned sharedSpace = 3;

/// ".op.type" of PTX for what LLVM selects as one instruction; nothing for what it writes as a loop.
std::optional<std::string> instructionOf(Rmw::BinOp operation, const llvm::Type* type, unsigned architecture) {
  const unsigned bits = type->isPointerTy() ? 64 : static_cast<unsigned>(type->getPrimitiveSizeInBits());
  const std::string width = std::to_string(bits);
  const bool isWord = (bits == 32 || bits == 64) && !type->isVectorTy();
  if (operation == Rmw::Xchg) return isWord ? std::optional(".exch.b" + width) : std::nullopt;
  if (operation == Rmw::FAdd) {
    if (type->isFloatTy()) return ".add.f32";
    if (type->isDoubleTy() && architecture >= 60) return ".add.f64";
    if (type->isHalfTy() && architecture >= 70) return ".add.noftz.f16";
    if (type->isBFloatTy() && architecture >= 90) return ".add.noftz.bf16";
    return std::nullopt;
  }
  if (!isWord || !type->isIntegerTy()) return std::nullopt;
  switch (operation) {
    case Rmw::Add:
    case Rmw::Sub:
      return ".add.u" + width;
    case Rmw::And:
      return ".and.b" + width;
    case Rmw::Or:
      return ".or.b" + width;
    case Rmw::Xor:
      return ".xor.b" + width;
    case Rmw::Min:
      return ".min.s" + width;
    case Rmw::Max:
      return ".max.s" + width;
    case Rmw::UMin:
      return ".min.u" + width;
    case Rmw::UMax:
      return ".max.u" + width;
    case Rmw::UIncWrap:
      return bits == 32 ? std::optional<std::string>(".inc.u32") : std::nullopt;
    case Rmw::UDecWrap:
      return bits == 32 ? std::optional<std::string>(".dec.u32") : std::nullopt;
    default:
      return std::nullopt;
  }
}

/// The qualifier of a scope; nothing for those that PTX has no word for.
std::optional<std::string> scopeOf(const Rmw& atomic) {
  llvm::SmallVector<llvm::StringRef> names;
  atomic.getContext().getSyncScopeNames(names);
  const llvm::StringRef name = names[atomic.getSyncScopeID()];
  if (name == "block" || name == "singlethread") return ".cta";
  if (name == "cluster") return ".cluster";
  if (name == "device") return ".gpu";
  return name.empty() ? std::optional<std::string>(".sys") : std::nullopt;
}

const char* orderOf(llvm::AtomicOrdering order) {
  switch (order) {
    case llvm::AtomicOrdering::Acquire:
    case llvm::AtomicOrdering::SequentiallyConsistent:  // behind a fence
      return ".acquire";
    case llvm::AtomicOrdering::Release:
      return ".release";
    case llvm::AtomicOrdering::AcquireRelease:
      return ".acq_rel";
    default:
      return ".relaxed";
  }
}

std::optional<std::string> spaceOf(unsigned space) {
  switch (space) {
    case 0:
      return "";
    case 1:
      return ".global";
    case sharedSpace:
      return ".shared";
    case 7:
      return ".shared::cluster";
    default:
      return std::nullopt;
  }
}

/// True where LLVM's unqualified instruction, relaxed and of the device, says what the program says. Memory of a group
/// has no observers outside of it.
bool isPlain(const Rmw& atomic, const std::string& scope) {
  return atomic.getOrdering() == llvm::AtomicOrdering::Monotonic &&
         (scope == ".gpu" || atomic.getPointerAddressSpace() == sharedSpace);
}

void replace(Rmw& atomic, const std::string& text) {
  llvm::IRBuilder<> builder(&atomic);
  llvm::Value* operand = atomic.getValOperand();
  if (atomic.getOperation() == Rmw::Sub) operand = builder.CreateNeg(operand);
  llvm::Type* const type = operand->getType();
  // Pointers and small floats travel as integers.
  llvm::Type* passed = type;
  if (type->isPointerTy()) passed = builder.getInt64Ty();
  if (type->isHalfTy() || type->isBFloatTy()) passed = builder.getInt16Ty();
  if (passed != type) operand = builder.CreateBitOrPointerCast(operand, passed);
  const std::string letter = registerOf(passed);
  llvm::Value* const pointer = atomic.getPointerOperand();
  llvm::InlineAsm* const instruction =
      llvm::InlineAsm::get(llvm::FunctionType::get(passed, {pointer->getType(), passed}, false),
                           text + " $0, [$1], $2;", "=" + letter + ",l," + letter + ",~{memory}", true);
  llvm::Value* made = builder.CreateCall(instruction, {pointer, operand});
  if (passed != type) made = builder.CreateBitOrPointerCast(made, type);
  made->takeName(&atomic);
  atomic.replaceAllUsesWith(made);
  atomic.eraseFromParent();
}

void lower(Rmw& atomic, unsigned architecture) {
  const auto scope = scopeOf(atomic);
  const auto space = spaceOf(atomic.getPointerAddressSpace());
  const auto instruction = instructionOf(atomic.getOperation(), atomic.getType(), architecture);
  if (!scope || !space || !instruction || isPlain(atomic, *scope)) return;
  const llvm::AtomicOrdering order = atomic.getOrdering();
  // Before Volta there are scopes and no orders: the descriptor has stage late write fences.
  const std::string qualifiers = (architecture >= 70 ? orderOf(order) : std::string()) + *scope + *space;
  if (order == llvm::AtomicOrdering::SequentiallyConsistent)
    llvm::IRBuilder<>(&atomic).CreateFence(order, atomic.getSyncScopeID());
  replace(atomic, "atom" + qualifiers + *instruction);
}

/// Of 128 bits LLVM 22 selects every order but the strongest.
template <class Atomic>
void fenceWide(Atomic& atomic, llvm::AtomicOrdering order) {
  const llvm::Type* const type = atomic.getOperand(1)->getType();
  if (order != llvm::AtomicOrdering::SequentiallyConsistent || type->getPrimitiveSizeInBits() != 128) return;
  llvm::IRBuilder<>(&atomic).CreateFence(order, atomic.getSyncScopeID());
  if constexpr (std::is_same_v<Atomic, Rmw>) {
    atomic.setOrdering(llvm::AtomicOrdering::AcquireRelease);
  } else {
    atomic.setSuccessOrdering(llvm::AtomicOrdering::AcquireRelease);
    atomic.setFailureOrdering(llvm::AtomicOrdering::Acquire);
  }
}

}  // namespace

void keepOrderAndScope(llvm::Module& module, unsigned architecture) {
  // sm_5x has one kind of atomics: relaxed, of the device.
  if (architecture < 60) return;
  for (llvm::Function& function : module) {
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      if (auto* const exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
        fenceWide(*exchange, exchange->getSuccessOrdering());
      auto* const atomic = llvm::dyn_cast<Rmw>(&instruction);
      if (!atomic) continue;
      fenceWide(*atomic, atomic->getOrdering());
      lower(*atomic, architecture);
    }
  }
}

}  // namespace lathe::targets
