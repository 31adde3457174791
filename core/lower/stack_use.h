// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How much stack the local variables of an entry need along its deepest chain of calls. It is what IR shows after
// optimisation: the code generator can only add to it.
#pragma once

#include <cstdint>
#include <vector>

#include <lathe/result.h>

namespace llvm {
class Function;
}

namespace lathe::detail {

struct StackUse {
  std::uint64_t bytes = 0;
  std::uint64_t largestFrame = 0;  ///< the most that one function of the chain keeps
  /// "'parse' keeps 320 bytes", each followed by its larger variables, from the entry down.
  std::vector<Note> frames;
  /// Where the largest variable is declared, else its function.
  SourceLocation largest;
};

/// Calls in a circle count once.
StackUse stackUseOf(const llvm::Function& entry);

}  // namespace lathe::detail
