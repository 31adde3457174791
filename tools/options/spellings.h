// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options of nvcc, NVRTC, hipcc and Clang in terms of Lathe's own, so that a build's command line works as it is.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

namespace lathe::tool {

/// A command line without the names of program and command, in which each option that `app` does not know and another
/// compiler does stands as `app` spells it. Options without a meaning here (permissions that Lathe always gives) are
/// dropped; all other words, and the values of options, are unchanged.
[[nodiscard]] std::vector<std::string> inOwnSpelling(std::span<const std::string> words, const CLI::App& app);

/// A sentence on an option of another compiler that has no counterpart and something that serves instead; empty where
/// there is nothing to say.
[[nodiscard]] std::string_view insteadOf(std::string_view option);

}  // namespace lathe::tool
