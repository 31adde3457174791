// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who may go on, where items wait at different places. Every item notes what it waits for; a function of the module
// looks at all of them when nobody can go on, and says which region is next.
//
// As hardware with a program counter for each item does it: the items of a subgroup that a mask names go on when those
// of them that have not returned all wait with that mask, wherever each of them waits. The group's barriers are passed
// when all items that have not returned wait at one, again wherever. What is left in a program that breaks these rules
// goes on a subgroup at a time, so that no control flow hangs.
#pragma once

namespace llvm {
class Function;
}

namespace lathe::detail {

/// What an item notes: the number of the region that it goes on with, and what it waits for first.
inline constexpr unsigned awaitsGroup = 1U << 30;
inline constexpr unsigned awaitsSubgroup = 1U << 31;
/// In the function's result: every item of the group goes on, and all with that region.
inline constexpr unsigned allTogether = 1U << 31;

/// `i32 schedule(ptr waiting, ptr masks, i64 items)` of `user`'s module, made there if there is none, with `user`'s
/// processor, for subgroups of `size` items. Of items that go on after a subgroup's barrier, `masks` then holds the set
/// that goes on together. The result is 0 if all items have returned. The arrays have a multiple of 64 elements.
/// `size` 0: nobody waits for a subgroup, and there are no masks.
[[nodiscard]] llvm::Function& scheduleFunction(llvm::Function& user, unsigned size);

}  // namespace lathe::detail
