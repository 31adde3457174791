// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bundles as Clang's offload bundler writes them: code for several processors in one file, which drivers load.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <lathe/result.h>

namespace lathe::targets {

struct BundledCode {
  std::string id;  ///< "KIND-TRIPLE--PROCESSOR"
  std::string bytes;
};

/// True for bytes that begin as a bundle does, compressed or not.
[[nodiscard]] bool isOffloadBundle(std::string_view bytes);
/// The bundle of `codes`, behind an empty entry for the host. Equal codes give equal bytes. Errors: ToolMissing
/// (compressed, by an LLVM without Zstandard).
[[nodiscard]] Result<std::string> offloadBundleOf(std::span<const BundledCode> codes, bool compressed);
/// What is in a bundle, without entries for a host. Errors: FileInvalid.
[[nodiscard]] Result<std::vector<BundledCode>> codesOfOffloadBundle(std::string_view bytes);

}  // namespace lathe::targets
