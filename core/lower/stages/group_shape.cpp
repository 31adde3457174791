// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The extents of a group as a parameter, for devices that form subgroups along one axis, or as they like: kernels that
// use subgroups are launched with groups of one row, whose items find their positions by dividing. OpenCL leaves open
// which items form a subgroup ("The OpenCL Specification" 3.0, 3.2.1); portable IR says that it is those that follow
// each other, x fastest.
//
//   before: define void @k(ptr %out) { … call i32 @__lathe_item_id_x()
//           define i32 @__lathe_item_id_x() { %s = call i64 @__lathe_group_shape() …
//   after:  define void @k(ptr %out, i64 %group_shape) { … call i32 @__lathe_item_id_x(i64 %group_shape)
#include "core/abi/runtime_abi.h"
#include "core/lower/abi/hidden_parameter.h"
#include "core/lower/lowering.h"
#include "core/lower/stages.h"
#include "core/portable/vocabulary.h"

namespace lathe::detail {
namespace {

/// The extents as whoever launches the code has to pass them.
Parameter describeShape() {
  Parameter shape;
  shape.name = groupShapeName;
  shape.type.kind = TypeKind::unsignedInteger;
  shape.type.name = "unsigned long";
  shape.type.size = shape.type.align = 8;
  return shape;
}

/// True if the kernel uses subgroups, and its groups may have more than one row.
bool wantsShape(const EntryPoint& entry, const llvm::Function& kernel) {
  const auto& size = entry.bounds.groupSize;
  return kernel.hasFnAttribute(attribute::subgroups) && !(size[0] != 0 && size[1] == 1 && size[2] == 1);
}

}  // namespace

/// Kernels that use subgroups get the parameter, and are recorded as launched with groups of one row; in the others the
/// shape is 0.
llvm::Error stage::groupShape(Lowering& lowering) {
  llvm::Module& module = *lowering.module;
  llvm::Function* const query = module.getFunction(runtimeEntry(RuntimeId::group_shape).symbol);
  if (!query) return llvm::Error::success();
  FunctionSet users, receivers;
  addUsers(*query, users);
  for (EntryPoint& entry : lowering.info.entries) {
    llvm::Function& kernel = lowering.functionOf(entry);
    if (wantsShape(entry, kernel)) receivers.insert(&kernel);
  }
  llvm::AttrBuilder notZero(module.getContext());
  const llvm::APInt zero(64, 0);
  notZero.addRangeAttr(llvm::ConstantRange(zero + 1, zero));
  users.insert_range(receivers);  // its groups are one row even if it asks for no position
  auto shapes = addHiddenParameter(lowering,
                                   {.name = groupShapeName,
                                    .what = "the extents of the group",
                                    .uses = "asks for the item's position",
                                    .hint = "call it by name",
                                    .type = query->getReturnType(),
                                    .entryType = query->getReturnType(),
                                    .facts = {},
                                    .entryFacts = llvm::AttributeSet::get(module.getContext(), notZero),
                                    .receivers = &receivers},
                                   std::move(users));
  if (!shapes) return shapes.takeError();
  replaceQuery(*query, *shapes);
  for (EntryPoint& entry : lowering.info.entries)
    if (shapes->contains(&lowering.functionOf(entry))) entry.hidden.push_back(describeShape());
  return llvm::Error::success();
}

}  // namespace lathe::detail
