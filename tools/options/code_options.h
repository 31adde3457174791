// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options that say what the source's language is and how it is compiled, whatever the source and the target.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include <lathe/job.h>
#include <lathe/result.h>
#include <lathe/runtime/kernel.h>

namespace lathe::tool {

class CodeOptions {
 public:
  void configure(CLI::App& app);
  /// The job's options. Errors: InvalidArgument.
  [[nodiscard]] Result<Options> options() const;
  /// `source` with the headers that are to be read before it.
  [[nodiscard]] Source withHeadersFirst(Source source) const;

 private:
  void configureLanguage(CLI::App& app);
  void configureCode(CLI::App& app);

  Options options_;
  std::string optLevel_ = "3";
  std::string entryAbi_ = "auto";
  std::string groupSize_;
  bool noContract_ = false;
  std::vector<std::string> firstHeaders_;
  std::vector<std::string> parameters_;
  std::vector<std::string> fixed_;  ///< NAME=VALUE
};

/// "X[,Y,Z]", each from 1 up; nothing if `text` is not that.
[[nodiscard]] std::optional<Extent3> parseExtents(const std::string& text);
/// Refuses what parseExtents does not read, as a usage error.
[[nodiscard]] CLI::Validator extentsValidator();

/// Refuses what is not "NAME=REST", both parts needed; `form` is how the help shows it.
[[nodiscard]] CLI::Validator assignmentValidator(const char* form);
[[nodiscard]] std::pair<std::string, std::string> splitAssignment(const std::string& text);
/// An option that may be given again and takes one value each time.
CLI::Option* addList(CLI::App& app, const std::string& name, std::vector<std::string>& list, const char* help,
                     const char* form);

}  // namespace lathe::tool
