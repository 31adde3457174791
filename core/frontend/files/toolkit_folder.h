// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The folder with the headers of a toolkit's own libraries, where the machine has one.
#pragma once

#include <string>
#include <vector>

namespace lathe::sdk {
class Variables;
struct Dialect;
}  // namespace lathe::sdk

namespace lathe {
struct CompileRecord;
struct InputLibrary;
}  // namespace lathe

namespace lathe::detail {

struct Descriptor;

/// The name under which a compile's record has the folder, among its settings and its libraries.
inline constexpr const char* toolkitSetting = "toolkit headers";

/// The variable by which a build says its time, and its name in a record.
inline constexpr const char* epochSetting = "SOURCE_DATE_EPOCH";

/// The folder whose headers with one of the prefixes Dialect::toolkitLibraries come before Lathe's of the same names:
/// the first of Descriptor::toolkitHeaders that has them all, or that of `replay`; empty if there is none.
[[nodiscard]] std::string toolkitFolder(const Descriptor& descriptor, const sdk::Dialect& dialect,
                                        const sdk::Variables& variables, const CompileRecord* replay = nullptr);

/// The seconds since 1970 that sources see as the time of the build: the variable's, or those of `replay`; empty: none.
[[nodiscard]] std::string buildEpoch(const sdk::Variables& variables, const CompileRecord* replay);

/// The libraries of a record, and these settings behind them where they are not empty.
[[nodiscard]] std::vector<InputLibrary> withSettings(std::vector<InputLibrary> libraries, const std::string& toolkit,
                                                     const std::string& epoch);

}  // namespace lathe::detail
