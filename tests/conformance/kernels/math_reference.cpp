// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of math.cpp: suite/math_cases.cpp.
#include "tests/conformance/suite/math_cases.h"

namespace lathe::conformance {

std::vector<Case> cases_kernels_math() {
  return mathCases();
}

}  // namespace lathe::conformance
