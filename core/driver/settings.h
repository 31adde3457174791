// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a compile resolved to, setting by setting, each with where its value came from (CompileRecord::settings).
#pragma once

#include <vector>

#include <lathe/compiler.h>
#include <lathe/sdk/dialect.h>

namespace lathe::detail {

struct Descriptor;
struct Lowering;
struct TargetEntry;

/// A compile that is about to start.
struct ResolvedJob {
  const Job& job;
  const Source& source;  ///< one of the job's
  const TargetEntry& target;
  const Descriptor& descriptor;
  const Dialect* dialect;      ///< null: IR
  std::string dialectPlugin;   ///< "NAME VERSION" of the plugin that brings it; empty: built in
  const std::string& toolkit;  ///< the folder of the toolkit's headers; empty: none
};

/// What is known before the front end runs: target, descriptors, architecture, dialect, prelude, options.
std::vector<Setting> settingsBefore(const ResolvedJob& resolved);
/// The same of one of the further sources: what is its own.
std::vector<Setting> settingsOfFurther(const ResolvedJob& resolved);
/// Adds to `record` how often Clang read the source, and what the stages found: entries with their bounds, and
/// libraries.
void settingsAfter(const Job& job, const Lowering& lowering, unsigned readings, CompileRecord& record);

}  // namespace lathe::detail
