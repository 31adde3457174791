// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Descriptions of what a compile is given beside its job, of what it reads, and of what it gives.
#pragma once

#include <lathe/bundle.h>
#include <lathe/compiler.h>

#include "core/values/image_values.h"
#include "core/values/job_values.h"
#include "core/values/result_values.h"

namespace lathe::detail {

/// A worker's compiler is made for one compile: it has no resolver, and where it runs is decided.
template <>
struct Description<CompilerConfig> {
  static constexpr auto fields =
      std::tuple(field("targetPath", &CompilerConfig::targetPath), field("variables", &CompilerConfig::variables),
                 stays("headers", &CompilerConfig::headers), stays("isolation", &CompilerConfig::isolation),
                 stays("containCrashes", &CompilerConfig::containCrashes),
                 field("workerProgram", &CompilerConfig::workerProgram), stays("cache", &CompilerConfig::cache));
};

/// The caller watches the time, can end the worker and has the cache; the record comes back with the result, progress
/// in messages before it.
template <>
struct Description<CompileRequest> {
  static constexpr auto fields =
      std::tuple(field("timeStages", &CompileRequest::timeStages), field("verifyStages", &CompileRequest::verifyStages),
                 field("dumpAfter", &CompileRequest::dumpAfter), field("replaceAt", &CompileRequest::replaceAt),
                 stays("isolation", &CompileRequest::isolation), stays("record", &CompileRequest::record),
                 stays("timeLimit", &CompileRequest::timeLimit), stays("durable", &CompileRequest::durable),
                 stays("stop", &CompileRequest::stop), stays("progress", &CompileRequest::progress));
};

template <>
struct Description<InputFile> {
  static constexpr auto fields = std::tuple(field("path", &InputFile::path), field("bytes", &InputFile::bytes),
                                            field("sameAs", &InputFile::sameAs));
};

template <>
struct Description<InputLibrary> {
  static constexpr auto fields = std::tuple(field("name", &InputLibrary::name), field("path", &InputLibrary::path),
                                            field("bytes", &InputLibrary::bytes));
};

template <>
struct Description<InputDescriptor> {
  static constexpr auto fields =
      std::tuple(field("name", &InputDescriptor::name), field("origin", &InputDescriptor::origin),
                 field("yaml", &InputDescriptor::yaml));
};

template <>
struct Description<Setting> {
  static constexpr auto fields =
      std::tuple(field("name", &Setting::name), field("value", &Setting::value), field("origin", &Setting::origin));
};

template <>
struct Description<CompileRecord> {
  static constexpr auto fields =
      std::tuple(field("workingDirectory", &CompileRecord::workingDirectory), field("arch", &CompileRecord::arch),
                 field("plugin", &CompileRecord::plugin), field("files", &CompileRecord::files),
                 field("libraries", &CompileRecord::libraries), field("descriptors", &CompileRecord::descriptors),
                 field("settings", &CompileRecord::settings));
};

template <>
struct Description<StageTime> {
  static constexpr auto fields =
      std::tuple(field("stage", &StageTime::stage), field("milliseconds", &StageTime::milliseconds));
};

template <>
struct Description<CompileResult> {
  static constexpr auto fields =
      std::tuple(field("image", &CompileResult::image), field("warnings", &CompileResult::warnings),
                 field("times", &CompileResult::times), field("dumps", &CompileResult::dumps),
                 stays("origin", &CompileResult::origin), stays("files", &CompileResult::files));
};

/// In the order of a bundle's bytes.
template <>
struct Description<JobBundle> {
  static constexpr auto fields =
      std::tuple(field("job", &JobBundle::job), field("producer", &JobBundle::producer),
                 field("compiler", &JobBundle::compiler), field("imageHash", &JobBundle::imageHash),
                 field("failure", &JobBundle::failure), field("inputs", &JobBundle::inputs));
};

}  // namespace lathe::detail
