// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What makes an error easier to act on: the source lines it speaks of, and where else a missing thing is to be had.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <lathe/compiler.h>

namespace lathe::detail {

struct AbiEntry;
class TargetRegistry;

/// Gives each diagnostic and note of a failed compile that has a place but no snippet its source line, with a caret if
/// the column is known. Lines come from the job, the record or, if `inputs` is null, from disk.
void addSnippets(Error& error, const Job& job, const CompileRecord* inputs);

/// The targets that have entries of the device ABI. Reads every descriptor and much device code, once an entry: for
/// errors only. `targets` stays valid.
class TargetsWith {
 public:
  explicit TargetsWith(const TargetRegistry& targets) : targets_(targets) {}
  /// Their names, sorted; "NAME:ARCH" where only a newer architecture than the default one has the entry.
  std::vector<std::string> operator()(const AbiEntry& entry);

 private:
  const TargetRegistry& targets_;
  std::map<std::string_view, std::vector<std::string>> known_;  ///< by AbiEntry::name
};

}  // namespace lathe::detail
