// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The folder with the headers of a toolkit's own libraries, where the machine has one.
#pragma once

#include <string>

namespace lathe::sdk {
class Variables;
struct Dialect;
}

namespace lathe {
struct CompileRecord;
}

namespace lathe::detail {

struct Descriptor;

/// The name under which a compile's record has the folder, among its settings and its libraries.
inline constexpr const char* toolkitSetting = "toolkit headers";

/// The folder whose headers with one of the prefixes Dialect::toolkitLibraries come before Lathe's of the same names: the
/// first of Descriptor::toolkitHeaders that has them all, or that of `replay`; empty if there is none.
[[nodiscard]] std::string toolkitFolder(const Descriptor& descriptor, const sdk::Dialect& dialect,
                                        const sdk::Variables& variables, const CompileRecord* replay = nullptr);

}  // namespace lathe::detail
