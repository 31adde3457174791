// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Jumps within a statement, barriers of the group and the cluster, and what ends or delays an item.
#include "dialects/cuda/ptx/instructions.h"
#include "dialects/cuda/ptx/special_registers.h"

namespace lathe::dialects::ptx {
namespace {

constexpr const char* oneBarrier = "a group has one barrier here, which all its items come to: __syncthreads()";

void warpBarrier(Emitter& e, const Instruction& in) {
  if (in.operands.size() != 1) return e.refuseThis("it lacks its mask", "compare it with NVIDIA's PTX ISA");
  e.callAbi("subgroup_barrier", e.ir().getVoidTy(), {itemsOf(e, e.read(in.operands[0], {Kind::bits, 32}))},
            /*isConvergent=*/true);
}

void clusterBarrier(Emitter& e, Words& words) {
  const bool arrives = words.take("arrive");
  if (!arrives && !words.take("wait")) return e.refuseThis("this form has no translation", oneBarrier);
  (void)words.takeOneOf(arrives ? std::initializer_list<llvm::StringRef>{"release", "relaxed"}
                                : std::initializer_list<llvm::StringRef>{"acquire"});
  (void)words.take("aligned");
  e.callAbi(arrives ? "cluster_arrive" : "cluster_wait", e.ir().getVoidTy(), {}, /*isConvergent=*/true);
}

/// `bar.red.popc.u32 d, 0, p` and `bar.red.and.pred d, 0, p`.
void countingBarrier(Emitter& e, Words& words, const Instruction& in) {
  const llvm::StringRef operation = words.takeOneOf({"popc", "and", "or"});
  const Type type = words.takeType(e);
  if (operation.empty() || in.operands.size() != 3 || e.constant(in.operands[1]) != 0)
    return e.refuseThis("this form has no translation", oneBarrier);
  llvm::IRBuilder<>& ir = e.ir();
  llvm::Value* const flag = ir.CreateZExt(e.readPredicate(in.operands[2]), e.integer(32));
  llvm::Value* const out = e.callAbi(operation == "popc" ? "group_barrier_count" : ("group_barrier_" + operation).str(),
                                     e.integer(32), {flag}, /*isConvergent=*/true);
  e.write(in.operands[0], type.kind == Kind::predicate ? ir.CreateIsNotNull(out) : out, type);
}

}  // namespace

void branch(Emitter& e, Words& words, const Instruction& in) {
  (void)words.take("uni");
  const Operand& to = in.operands[0];
  if (to.kind != Operand::Kind::label) return e.refuseThis("it names no label", "jump within the statement");
  e.ir().CreateBr(e.blockOf(to.name));
  e.ir().SetInsertPoint(e.newBlock());
}

void barrier(Emitter& e, Words& words, const Instruction& in) {
  (void)words.take("cta");
  if (words.take("warp"))
    return words.take("sync") ? warpBarrier(e, in) : e.refuseThis("this form has no translation", oneBarrier);
  if (words.take("cluster")) return clusterBarrier(e, words);
  // "bar" is "barrier.aligned".
  const bool aligned = words.take("aligned") || in.words.front() == "bar";
  if (words.take("red")) return countingBarrier(e, words, in);
  if (!words.take("sync") || in.operands.size() != 1 || e.constant(in.operands[0]) != 0)
    return e.refuseThis("barriers of a part of the group, or with another number than 0, have no translation",
                        oneBarrier);
  e.callAbi(aligned ? "group_barrier" : "group_barrier_apart", e.ir().getVoidTy(), {}, /*isConvergent=*/true);
}

void trap(Emitter& e, Words&, const Instruction&) {
  e.callAbi("trap", e.ir().getVoidTy(), {});
}

void sleep(Emitter& e, Words& words, const Instruction& in) {
  const Type type = words.takeInteger(e, 32);
  e.callAbi("sleep", e.ir().getVoidTy(), {e.read(in.operands[0], type)});
}

}  // namespace lathe::dialects::ptx
