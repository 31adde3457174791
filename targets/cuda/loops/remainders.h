// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace llvm {
class Module;
}

namespace lathe::targets {

/// Keeps strength reduction from computing remainders anew. ScalarEvolution writes `i % n` as `i - n × (i / n)`, with 64
/// bits where it is extended to them, and multiplies that out with strides; what a loop starts from, or counts, is then
/// a sum of other products than those of the source, beside them: registers for both, and divisions of 64 bits.
///
///   before: %r = urem i32 %i, 3                             zext i32 %r to i64
///   after:  %r = urem i32 %i, 3     %f = freeze i32 %r      zext i32 %f to i64
void hideRemainders(llvm::Module& module);

}  // namespace lathe::targets
