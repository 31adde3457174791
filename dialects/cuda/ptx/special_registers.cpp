// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/cuda/ptx/special_registers.h"

namespace lathe::dialects::ptx {
namespace {

/// Registers that are an entry of the device ABI.
struct Position {
  llvm::StringRef name, entry;
};
constexpr Position positions[] = {
    {"%tid.x", "item_id_x"},
    {"%tid.y", "item_id_y"},
    {"%tid.z", "item_id_z"},
    {"%ntid.x", "group_size_x"},
    {"%ntid.y", "group_size_y"},
    {"%ntid.z", "group_size_z"},
    {"%ctaid.x", "group_id_x"},
    {"%ctaid.y", "group_id_y"},
    {"%ctaid.z", "group_id_z"},
    {"%nctaid.x", "group_count_x"},
    {"%nctaid.y", "group_count_y"},
    {"%nctaid.z", "group_count_z"},
    {"%cluster_ctarank", "cluster_group_id"},
    {"%dynamic_smem_size", "dynamic_shared_bytes"},
};

llvm::Value* ask(Emitter& e, llvm::StringRef entry) {
  return e.callAbi(entry, e.integer(32), {});
}

llvm::Value* itemsOfGroup(Emitter& e) {
  llvm::Value* const area = e.ir().CreateMul(ask(e, "group_size_x"), ask(e, "group_size_y"));
  return e.ir().CreateMul(area, ask(e, "group_size_z"));
}

/// The item's place in its group, x first.
llvm::Value* itemInGroup(Emitter& e) {
  llvm::IRBuilder<>& ir = e.ir();
  llvm::Value* const layer = ir.CreateMul(ask(e, "item_id_z"), ask(e, "group_size_y"));
  llvm::Value* const row = ir.CreateMul(ir.CreateAdd(layer, ask(e, "item_id_y")), ask(e, "group_size_x"));
  return ir.CreateAdd(row, ask(e, "item_id_x"));
}

/// The lanes below the item's, or above, with its own or without.
llvm::Value* lanes(Emitter& e, llvm::StringRef which) {
  llvm::IRBuilder<>& ir = e.ir();
  llvm::Value* const own = ir.CreateShl(e.number(32, 1), laneOf(e));
  llvm::Value* const below = ir.CreateSub(own, e.number(32, 1));
  if (which == "eq") return own;
  if (which == "lt") return below;
  if (which == "le") return ir.CreateOr(below, own);
  if (which == "ge") return ir.CreateNot(below);
  return which == "gt" ? ir.CreateNot(ir.CreateOr(below, own)) : nullptr;
}

llvm::Value* counter(Emitter& e, llvm::StringRef name) {
  llvm::Value* const cycles = e.callAbi("clock", e.integer(64), {});
  if (name == "%clock64") return cycles;
  return e.ir().CreateTrunc(name == "%clock" ? cycles : e.ir().CreateLShr(cycles, 32), e.integer(32));
}

}  // namespace

llvm::Value* specialRegister(Emitter& e, llvm::StringRef name) {
  constexpr unsigned warpSize = 32;
  for (const Position& position : positions) {
    if (position.name == name) return ask(e, position.entry);
  }
  llvm::IRBuilder<>& ir = e.ir();
  if (name == "WARP_SZ") return e.number(32, warpSize);
  if (name == "%laneid") return laneOf(e);
  if (name == "%warpid") return ir.CreateUDiv(itemInGroup(e), e.number(32, warpSize));
  if (name == "%nwarpid")
    return ir.CreateUDiv(ir.CreateAdd(itemsOfGroup(e), e.number(32, warpSize - 1)), e.number(32, warpSize));
  // The machine is one processor that holds all groups: which of it they run on is nothing that a program can use.
  if (name == "%smid") return e.number(32, 0);
  if (name == "%nsmid") return e.number(32, 1);
  if (name == "%clock" || name == "%clock_hi" || name == "%clock64") return counter(e, name);
  if (name == "%cluster_nctarank") {
    llvm::Value* const area = ir.CreateMul(ask(e, "cluster_size_x"), ask(e, "cluster_size_y"));
    return ir.CreateMul(area, ask(e, "cluster_size_z"));
  }
  llvm::StringRef mask = name;
  if (mask.consume_front("%lanemask_")) {
    if (llvm::Value* const value = lanes(e, mask)) return value;
  }
  e.refuseThis("the register '" + name.str() + "' is unknown, or has no counterpart here",
               "declare it with '.reg'; of special registers, those of positions, lanes and cycles are known");
  return e.number(32, 0);
}

}  // namespace lathe::dialects::ptx
