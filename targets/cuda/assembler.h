// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVIDIA's assembler and disassembler, which Lathe finds on the machine and never ships.
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <lathe/image.h>
#include <lathe/sdk/target.h>

namespace lathe::targets {

struct Assembly {
  const std::string& ptx;
  std::string name;  ///< of the source, for messages
  std::string arch;
  OptLevel optLevel = OptLevel::O3;
  bool debugInfo = false;
};

/// The cubin of a PTX, by nvJitLink in process where it is there and fits, else by ptxas. Errors: ToolMissing,
/// ToolFailed.
[[nodiscard]] llvm::Expected<std::string> assemble(const Assembly& source, const sdk::Variables& variables,
                                                   const std::stop_token& stop);

/// The files that assemble() would use.
[[nodiscard]] std::vector<std::string> assemblers(const sdk::Variables& variables);

/// The cubin of an image's PTX at the image's level; nothing for other formats. Errors: as for assemble().
[[nodiscard]] llvm::Expected<std::optional<std::string>> assembled(const Code& code, const ImageInfo& image,
                                                                   const sdk::Variables& variables);

/// The machine code (SASS) of a PTX or cubin as nvdisasm prints it; nothing for other formats. Errors: ToolMissing,
/// ToolFailed.
[[nodiscard]] llvm::Expected<std::optional<std::string>> disassembleFor(const Code& code, const ImageInfo& image,
                                                                        const sdk::Variables& variables);

}  // namespace lathe::targets
