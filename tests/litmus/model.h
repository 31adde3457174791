// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The outcomes that a litmus test may have, by exhaustive search. Under sequential consistency: all interleavings.
// Under weaker orders: all candidate executions (a modification order for each place, a write for each read) that
// C++20's rules of coherence, atomicity and happens-before accept, in the form of Lahav et al., "Repairing sequential
// consistency in C/C++11" (PLDI 2017), less its rule against cycles of program order and reads-from, which C++ lacks
// and GPUs do not keep: relaxed load buffering is allowed.
#pragma once

#include <set>

#include "tests/litmus/program.h"

namespace lathe::litmus {

struct Allowed {
  std::set<Outcome> outcomes;
  bool races = false;  ///< plain accesses race: the program has no meaning in this form
};

/// What `program` may end in. A read-modify-write operation in the place of a load or store allows no more than that.
[[nodiscard]] Allowed allowedOutcomes(const Program& program, Form form);
/// What the interleavings of the roles end in.
[[nodiscard]] std::set<Outcome> interleavedOutcomes(const Program& program);

}  // namespace lathe::litmus
