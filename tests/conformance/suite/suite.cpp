// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lists: kernel files, their cases, the vocabulary.
#include "tests/conformance/suite/suite.h"

#include <iterator>

// clang-format off
#define LATHE_CONFORMANCE(file, id)                             \
  extern "C" const char lathe_conformance_##id[];               \
  extern "C" const char lathe_conformance_##id##_end[];         \
  namespace lathe::conformance { std::vector<Case> cases_##id(); }
#include "conformance_files.inc"
#undef LATHE_CONFORMANCE
// clang-format on

namespace lathe::conformance {

std::vector<Case> allCases() {
  std::vector<Case> out;
  const auto add = [&](std::string_view file, std::vector<Case> cases) {
    for (Case& entry : cases) entry.file = file;
    out.insert(out.end(), std::move_iterator(cases.begin()), std::move_iterator(cases.end()));
  };
#define LATHE_CONFORMANCE(file, id) add(file, cases_##id());
#include "conformance_files.inc"
#undef LATHE_CONFORMANCE
  return out;
}

std::string_view sourceOf(std::string_view name) {
#define LATHE_CONFORMANCE(file, id) \
  if (name == file) return {lathe_conformance_##id, lathe_conformance_##id##_end};
#include "conformance_files.inc"
#undef LATHE_CONFORMANCE
  return {};
}

std::vector<std::string> sourceFiles() {
  return {
#define LATHE_CONFORMANCE(file, id) file,
#include "conformance_files.inc"
#undef LATHE_CONFORMANCE
  };
}

std::span<const AbiName> abiEntries() {
  static constexpr AbiName all[] = {
#define LATHE_ABI(name, signature, group, lowering, effects, meaning) {#name, #group},
#include "core/abi/device_abi.def"
  };
  return all;
}

}  // namespace lathe::conformance
