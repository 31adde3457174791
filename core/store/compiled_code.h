// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the compiler made of portable code for a device, as a file of the cache folder that the runtime library reads
// without the compiler. The file holds the whole question, which is compared, so that no digest has to be trusted, and
// the surroundings that the answer depends on.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace lathe::detail {

struct CompiledCode {
  std::string question;      ///< portable code, device, versions
  std::string surroundings;  ///< by Surroundings
  std::string image;
};

[[nodiscard]] std::string packCompiledCode(const CompiledCode& code);
/// Nothing if `file` is not whole.
[[nodiscard]] std::optional<CompiledCode> unpackCompiledCode(std::string_view file);
/// The file's path in a cache folder. Two questions may have one; the latter replaces the former then.
[[nodiscard]] std::string compiledCodePath(std::string_view question);

}  // namespace lathe::detail
