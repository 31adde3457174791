// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Features of the running kernel that are open to this process, found by trying them: a small program of each type is
// loaded and dropped, a map of each kind created and dropped. Nothing is attached.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <lathe/export.h>
#include <lathe/result.h>

namespace lathe::bpf {

/// The answer to one question.
struct Feature {
  enum class State : std::uint8_t { present, refused, absent };
  std::string area;  ///< "rights", "files", "program", "map", "probe", "instructions"
  std::string name;  ///< "fentry", "ring buffer", "tracefs"
  State state = State::present;
  std::string detail;  ///< the reason, or a fact: "not permitted (EPERM)"
  std::string remedy;  ///< empty if nothing helps or nothing is missing
};

/// Asks everything; takes about 0.1 s. Errors: DriverMissing and DriverTooOld (libbpf).
[[nodiscard]] LATHE_API Result<std::vector<Feature>> probeFeatures();

}  // namespace lathe::bpf
