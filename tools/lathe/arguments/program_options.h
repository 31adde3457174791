// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options by which an image becomes part of a program: its bytes in a form that a compiler, an assembler or a linker
// takes, and the header with which host code launches its kernels. Shared by `compile` and `embed`.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <lathe/embed.h>

#include "tools/lathe/output/output.h"

namespace lathe::tool {

class ProgramOptions {
 public:
  /// `needsFile`: the file that bytes are written to is the command's own `-o`, not `--embed`.
  void configure(CLI::App& app, bool needsFile);
  /// True if anything was asked for.
  [[nodiscard]] bool any() const { return !embed_.empty() || !header_.empty(); }
  /// Writes what was asked for: of `bytes`, an image or a fat image, which `path` holds, and which is called `stem`
  /// unless --symbol says otherwise. A header is written only if it changes, so that its users are not built again.
  /// Errors: FileUnwritable, those of embedded() and kernelHeader().
  [[nodiscard]] Result<void> write(std::span<const std::byte> bytes, const std::string& path,
                                   const std::string& stem) const;
  /// The files that write() writes.
  [[nodiscard]] std::vector<std::string> outputs() const;

 private:
  [[nodiscard]] Result<EmbedForm> form() const;

  std::string embed_;
  std::string symbol_;
  std::string section_;
  std::string triple_;
  std::string header_;
  std::string imageFile_;
  std::string nameSpace_ = "kernels";
  std::vector<std::string> includes_;
};

/// A rule for make and ninja: `targets` depend on `inputs`, each of which may go without an error of make's.
[[nodiscard]] std::string depfile(const std::vector<std::string>& targets, const std::vector<std::string>& inputs);

}  // namespace lathe::tool
