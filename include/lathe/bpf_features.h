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

/// The helper functions that the kernel gives to one type of program.
struct ProgramHelpers {
  std::string program;               ///< as Feature::name has it: "xdp"
  std::vector<std::string> helpers;  ///< "bpf_map_lookup_elem", …, in the order of their numbers
};

/// Asks the kernel for each type of program and each helper; takes about 1 s. Types that cannot be asked are not there
/// (tracing, lsm, struct_ops, freplace, which name something of the kernel's). Empty if this process may not load
/// programs. Errors: DriverMissing and DriverTooOld (libbpf), Unsupported (the kernel has no BTF).
[[nodiscard]] LATHE_API Result<std::vector<ProgramHelpers>> probeHelpers();

}  // namespace lathe::bpf
