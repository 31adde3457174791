// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options go the way of the tool's, which has those of other compilers in its own spelling.
#include "tools/nvrtc/options.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include "tools/options/code_options.h"
#include "tools/options/spellings.h"

namespace lathe::nvrtc {
namespace {

/// Without dashes and value.
std::string_view nameOf(std::string_view word) {
  while (word.starts_with('-')) word.remove_prefix(1);
  return word.substr(0, word.find('='));
}

bool isAmong(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

/// "-I folder" in one word is the option and its value.
void addWord(std::vector<std::string>& out, std::string_view word) {
  const std::size_t at = word.starts_with("--") ? std::string_view::npos : word.find(' ');
  if (!word.starts_with('-') || at == std::string_view::npos) {
    out.emplace_back(word);
    return;
  }
  const std::size_t value = word.find_first_not_of(' ', at);
  out.emplace_back(word.substr(0, at));
  if (value != std::string_view::npos) out.emplace_back(word.substr(value));
}

}  // namespace

Result<ProgramOptions> readOptions(std::span<const char* const> words, Source& source) {
  constexpr std::array<std::string_view, 4> architectures = {"arch", "gpu-architecture", "code", "gpu-code"};
  constexpr std::array<std::string_view, 2> quiet = {"w", "disable-warnings"};
  constexpr std::array<std::string_view, 2> ofAssembler = {"ptxas-options", "Xptxas"};
  constexpr std::array<std::string_view, 5> otherCode = {"dlto", "dlink-time-opt", "gen-opt-lto", "optix-ir", "ltoir"};
  std::vector<std::string> given, kept;
  for (const char* const word : words) addWord(given, word);
  ProgramOptions out;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const std::string& word = given[i];
    const std::string_view name = nameOf(word);
    const auto value = [&] {
      const std::size_t at = word.find('=');
      return at != std::string::npos ? word.substr(at + 1) : i + 1 < given.size() ? given[++i] : std::string();
    };
    const bool isOption = word.starts_with('-');
    if (isOption && isAmong(otherCode, name)) {
      return Error{.code = ErrorCode::InvalidArgument,
                   .message = word + ": this library makes PTX and cubins",
                   .hint = "leave it out; several programs are linked as cubins, or compiled as one"};
    } else if (isOption && isAmong(architectures, name)) {
      std::string arch = value();
      out.wantsCubin = !arch.starts_with("compute_");
      if (!out.wantsCubin) arch.replace(0, std::string_view("compute_").size(), "sm_");
      out.arch = std::move(arch);
    } else if (isOption && isAmong(ofAssembler, name)) {
      (void)value();  // its reports and levels
    } else if (isOption && isAmong(quiet, name)) {
      out.hidesWarnings = true;
    } else {
      kept.push_back(word);
    }
  }
  CLI::App app;
  tool::CodeOptions code;
  code.configure(app);
  // CLI11 takes the last word first.
  std::vector<std::string> own = tool::inOwnSpelling(kept, app);
  std::ranges::reverse(own);
  try {
    app.parse(std::move(own));
  } catch (const CLI::Error& error) {
    return Error{.code = ErrorCode::InvalidArgument, .message = error.what()};
  }
  auto options = code.options();
  if (!options) return std::move(options).error();
  out.options = *std::move(options);
  source = code.withHeadersFirst(std::move(source));
  if (app.count("--std") == 0) out.options.languageStandard = "c++17";
  out.options.defines.insert(out.options.defines.begin(), "__CUDACC_RTC__=1");
  return out;
}

}  // namespace lathe::nvrtc
