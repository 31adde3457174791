// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The type of comparisons in PTX.
#include "targets/cuda/comparisons.h"

#include <string_view>

namespace lathe::targets {

void compareWithSigns(std::string& ptx) {
  constexpr std::string_view comparison = "setp.";
  constexpr std::size_t operatorLength = 3;  // "eq." or "ne."
  for (std::size_t at = ptx.find(comparison); at != std::string::npos; at = ptx.find(comparison, at)) {
    at += comparison.size();
    const std::string_view rest = std::string_view(ptx).substr(at, operatorLength + 2);  // "eq.b3", "eq.bf"
    const bool isOfBits = rest.starts_with("eq.b") || rest.starts_with("ne.b");
    if (isOfBits && rest.back() >= '0' && rest.back() <= '9') ptx[at + operatorLength] = 's';
  }
}

}  // namespace lathe::targets
