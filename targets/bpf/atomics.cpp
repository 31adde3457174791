// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic accesses and fences as BPF has them. LLVM 22 selects no atomic loads and stores below v4, none that are
// sequentially consistent and no fences, and ends with "Cannot select"; stores of 32 bits at v1 keep its legaliser busy
// for ever. An aligned access of up to 64 bits is one access on every machine that runs BPF, as READ_ONCE and
// WRITE_ONCE of the kernel have it. What returns the value before is fully ordered (kernel.org/doc/html/latest/bpf,
// "Atomic operations", Documentation/atomic_t.txt): an exchange with a word of the stack is a fence.
//   before: %x = load atomic i32, ptr %p acquire
//   after:  %x = load volatile i32, ptr %p    %old = atomicrmw xchg ptr %word, i64 0 seq_cst
#include "targets/bpf/atomics.h"

#include <string>

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace lathe::targets {
namespace {

using llvm::AtomicOrdering;

/// The first instruction set with operations that return the value before, which fences are made of.
constexpr unsigned fetching = 3;
/// The first with loads that acquire and stores that release.
constexpr unsigned ordering = 4;

class Atomics {
 public:
  Atomics(llvm::Function& function, sdk::TargetContext& context)
      : function_(function), context_(context), version_(static_cast<unsigned>(context.arch.back() - '0')) {}

  void run() {
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function_))) {
      if (!instruction.isAtomic()) continue;
      if (auto* const fence = llvm::dyn_cast<llvm::FenceInst>(&instruction))
        lower(*fence);
      else if (auto* const load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
        access(*load, load->getOrdering(), AtomicOrdering::Acquire);
      else if (auto* const store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
        access(*store, store->getOrdering(), AtomicOrdering::Release);
      else
        check(instruction);
    }
  }

 private:
  void lower(llvm::FenceInst& fence) {
    if (fence.getSyncScopeID() == llvm::SyncScope::SingleThread) return;  // for the compiler alone
    if (fences(fence, "a fence between threads")) addFence(&fence);
    fence.eraseFromParent();
  }

  /// A load or a store: `half` is the order it has at v4.
  template <class Access>
  void access(Access& atomic, AtomicOrdering order, AtomicOrdering half) {
    const bool relaxed = !llvm::isStrongerThanMonotonic(order);
    // Those of v4 are not used below 32 bits: what stays atomic of these is refused.
    const bool isWide = llvm::getLoadStoreType(&atomic)->getPrimitiveSizeInBits() != 8 &&
                        llvm::getLoadStoreType(&atomic)->getPrimitiveSizeInBits() != 16;
    if (version_ >= ordering && isWide && (relaxed || order == half)) return;
    if (!relaxed && !fences(atomic, "an ordered atomic access")) return;
    atomic.setAtomic(AtomicOrdering::NotAtomic);
    atomic.setVolatile(true);
    const bool total = order == AtomicOrdering::SequentiallyConsistent;
    if (total || order == AtomicOrdering::Release) addFence(&atomic);
    if (total || order == AtomicOrdering::Acquire) addFence(atomic.getNextNode());
  }

  void check(const llvm::Instruction& atomic) {
    const auto* const change = llvm::dyn_cast<llvm::AtomicRMWInst>(&atomic);
    if (change && !isThere(change->getOperation())) {
      report(atomic, "an atomic '" + llvm::AtomicRMWInst::getOperationName(change->getOperation()).str() + "'",
             "BPF has add, sub, and, or, xor, exchange and compare-and-exchange: compare and exchange in a loop of a "
             "constant number of rounds");
      return;
    }
    if (version_ >= fetching || !operand(atomic)->isIntegerTy(32)) return;
    const bool adds = change && change->getOperation() == llvm::AtomicRMWInst::Add && change->use_empty();
    if (!adds) report(atomic, "a 32-bit atomic operation other than an addition", "choose v3, or use 64 bits");
  }

  static bool isThere(llvm::AtomicRMWInst::BinOp operation) {
    switch (operation) {
      case llvm::AtomicRMWInst::Add:
      case llvm::AtomicRMWInst::Sub:
      case llvm::AtomicRMWInst::And:
      case llvm::AtomicRMWInst::Or:
      case llvm::AtomicRMWInst::Xor:
      case llvm::AtomicRMWInst::Xchg:
        return true;
      default:
        return false;
    }
  }

  static const llvm::Type* operand(const llvm::Instruction& atomic) {
    const auto* const exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&atomic);
    return exchange ? exchange->getCompareOperand()->getType() : atomic.getType();
  }

  /// Reports `what` where the instruction set has nothing to make fences of.
  bool fences(const llvm::Instruction& at, const char* what) {
    if (version_ >= fetching) return true;
    report(at, what, "choose v3, or use relaxed order");
    return false;
  }

  void addFence(llvm::Instruction* before) {
    llvm::IRBuilder<> b(before);
    if (!word_) {
      llvm::IRBuilder<> entry(&*function_.getEntryBlock().getFirstInsertionPt());
      word_ = entry.CreateAlloca(entry.getInt64Ty());
      entry.CreateStore(entry.getInt64(0), word_, /*isVolatile=*/true);
    }
    b.CreateAtomicRMW(llvm::AtomicRMWInst::Xchg, word_, b.getInt64(0), llvm::Align(8),
                      AtomicOrdering::SequentiallyConsistent);
  }

  void report(const llvm::Instruction& at, std::string what, std::string hint) {
    Diagnostic found{.severity = Severity::error,
                     .code = ErrorCode::Unsupported,
                     .message = std::move(what) + " on " + std::string(context_.descriptor.name()) + ":" +
                                std::string(context_.arch),
                     .location = {},
                     .snippet = {},
                     .notes = {},
                     .hint = std::move(hint)};
    if (const llvm::DILocation* const place = at.getDebugLoc().get())
      found.location = {place->getFilename().str(), place->getLine(), place->getColumn()};
    context_.diagnostics.push_back(std::move(found));
  }

  llvm::Function& function_;
  sdk::TargetContext& context_;
  unsigned version_;
  llvm::AllocaInst* word_ = nullptr;  ///< what fences exchange
};

}  // namespace

void lowerAtomics(sdk::TargetContext& context) {
  for (llvm::Function& function : context.module) {
    if (!function.isDeclaration()) Atomics(function, context).run();
  }
}

}  // namespace lathe::targets
