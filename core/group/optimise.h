// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes that the target machine's pipeline has beside LLVM's own where items are loops.
#pragma once

namespace llvm {
class PassBuilder;
}

namespace lathe::detail {

/// Adds them at the extension points of `builder`, before it builds the pipeline.
void registerItemLoopPasses(llvm::PassBuilder& builder);

}  // namespace lathe::detail
