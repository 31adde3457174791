// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The log of the kernel's verifier, read: instructions in the order in which they were checked, each with its source
// line and what the verifier knew behind it, and the lines that say why it stopped. At log level 1 the log holds only
// the path that failed. The form is that of kernel/bpf/verifier.c and log.c, Linux 5.10 to 6.18.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lathe::bpf::detail {

/// A place in the source, as the log or BTF.ext has it.
struct SourceLine {
  std::string file, text;
  std::uint32_t line = 0, column = 0;
  bool operator==(const SourceLine&) const = default;
};

/// One instruction that the verifier went over.
struct LogStep {
  std::uint32_t instruction = 0;
  std::string code;    ///< "r1 = *(u64 *)(r0 +0)"
  std::string states;  ///< "R1=scalar() R10=fp0": registers that it read or wrote, afterwards
  SourceLine source;
};

struct VerifierLog {
  std::vector<LogStep> steps;
  /// Why it stopped, the kernel's words; empty if it accepted the program.
  std::vector<std::string> verdict;
  /// The state of all registers where one was printed whole, last.
  std::string lastStates;
  std::uint64_t processed = 0;  ///< instructions; 0: the log does not say
};

[[nodiscard]] VerifierLog readVerifierLog(std::string_view log);

/// The state of register `number` ("map_value_or_null(id=1,ks=4,vs=8)") in `states`; empty if it is not there.
[[nodiscard]] std::string stateOf(std::string_view states, unsigned number);

/// A state in words: "a pointer to a value of map 'counts' (8 bytes), or null".
[[nodiscard]] std::string inWords(std::string_view state);

/// One fact of how the program came to where it was refused.
struct PathStep {
  SourceLine source;
  std::uint32_t instruction = 0;
  std::string words;
};

/// How it came to the refusal: where what register `number` held came from, and the last conditions on the way, in the
/// order of the program. `number` above 10: only conditions.
[[nodiscard]] std::vector<PathStep> pathTo(const VerifierLog& log, unsigned number);

}  // namespace lathe::bpf::detail
