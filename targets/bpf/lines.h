// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Line tables, which the verifier's log shows, and what is made of it. No code changes.
#pragma once

namespace llvm {
class Module;
}  // namespace llvm

namespace lathe::targets {

/// Gives the address of a context's member the place of the access to it. LLVM makes one call of both, at the place
/// that they have in common, which is a line at best (BPFPreserveStaticOffset.cpp).
///   before: %p = getelementptr …, !dbg (user.cpp:9:7)    store i32 1, ptr %p, !dbg (user.cpp:9:14)
///   after:  the same, both !dbg (user.cpp:9:14)
void placeMembers(llvm::Module& module);

/// Gives what was inlined from Lathe's own headers (a helper, a map's function) the place where the user's code calls
/// it, so that the verifier's log and what is made of it show that line. Only line tables change.
///   before: call void @llvm.bpf…, !dbg (helpers.h:17, inlined at maps.h:44, inlined at user.cpp:9)
///   after:  the same, !dbg (user.cpp:9)
void showCallers(llvm::Module& module);

}  // namespace lathe::targets
