// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of atomic_widths.cu.
#include "tests/conformance/suite/atomic_cases.h"

namespace lathe::conformance {

std::vector<Case> cases_cuda_atomic_widths() {
  std::vector<Case> out;
  for (const std::string kernel : {"alone", "alone_shared"}) {
    out.push_back(aloneAtomicsCase<int>("int", "int", kernel));
    out.push_back(aloneAtomicsCase<unsigned>("unsigned", "unsigned", kernel));
    out.push_back(aloneAtomicsCase<long long>("long long", "longlong", kernel));
    out.push_back(aloneAtomicsCase<unsigned long long>("unsigned long long", "ulonglong", kernel));
  }
  return out;
}

}  // namespace lathe::conformance
