// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Volatile accesses of group-shared memory, in step. Much code of the years when a warp had one program counter ends a
// reduction or a scan without barriers, each line a volatile access that all items of a warp make before any makes the
// next:
//
//   if (item < 32) { v[item] += v[item + 32]; v[item] += v[item + 16]; … }
//
// Hardware still runs it so. A loop over items would run all lines for one item first.
#pragma once

namespace llvm {
class Function;
}

namespace lathe::detail {

/// Whether `function`, which may be given any pointers, has such an access: it must become part of the kernels then.
[[nodiscard]] bool isWarpSynchronous(const llvm::Function& function, unsigned groupSpace);

/// Makes the items of a subgroup that come to a volatile access of memory that is, or may be, in `groupSpace` meet
/// before it: those that are here when nobody else in the subgroup can go on, those furthest behind first. Loads in a
/// row have one meeting, and behind a barrier none is needed.
///
///   before: %a = load volatile i32, ptr %p           after: call i64 @__lathe_subgroup_converge(i64 0)
///           %b = load volatile i32, ptr %q                  %a = load volatile … %b = load volatile …
///           store volatile i32 %sum, ptr %p                 call i64 @__lathe_subgroup_converge(i64 0)
///                                                           store volatile i32 %sum, ptr %p
void keepWarpSynchronous(llvm::Function& kernel, unsigned groupSpace);

}  // namespace lathe::detail
