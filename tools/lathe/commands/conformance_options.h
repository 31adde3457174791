// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command line of `lathe conformance`, which the tool declares and the suite's own program reads.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace lathe::tool {

inline constexpr std::string_view conformanceName = "conformance";
inline constexpr std::string_view conformanceSummary = "check that kernels mean the same on every target here";

struct ConformanceOptions {
  /// Declares the options on `app`; `this` outlives its parse.
  void configure(CLI::App& app);

  std::vector<std::string> targets;   ///< empty: every target with a runtime
  std::vector<std::string> filters;   ///< parts of cases' names; empty: all cases
  std::vector<std::string> recorded;  ///< files that --json wrote
  double caseTimeout = 300;           ///< seconds; 0: no limit
  bool checked = false;
  unsigned coarsening = 0;
  bool debugInfo = false;
  bool onlyList = false;
  bool coverageTable = false;
};

}  // namespace lathe::tool
