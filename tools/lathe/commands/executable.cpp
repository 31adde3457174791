// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An object for this machine, and then the linker.
#include "tools/lathe/commands/executable.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "tools/lathe/arguments/files.h"

namespace lathe::tool {

Result<CompileResult> writeExecutable(const Compiler& compiler, Job job, const CompileRequest& request,
                                      ExecutableOptions options, HostRequest host, const std::string& path,
                                      Output& out) {
  const auto target = compiler.target(job.target);
  if (!target) return target.error();
  if (std::ranges::find(target->formats, "archive") == target->formats.end()) {
    return Error{.code = ErrorCode::FormatUnsupported,
                 .message = fmt::format("target '{}' makes no code for C programs, and so no executables", job.target),
                 .hint = "compile with --target object, or x86-64-v3 and the like for another level of this machine"};
  }
  job.emit = "object";
  auto result = compiler.compile(job, request);
  if (!result) return result;
  if (!host.sources.empty()) {
    host.options = job.options;
    host.workerProgram = options.workerProgram;
    auto compiled = compileHostSources(result->image, host);
    if (!compiled) return std::move(compiled).error();
    std::ranges::move(compiled->objects, std::back_inserter(options.inputs));
    std::ranges::move(compiled->warnings, std::back_inserter(result->warnings));
    std::ranges::move(compiled->files, std::back_inserter(result->files));
  }
  const auto program = executable(result->image, options);
  if (!program) return program.error();
  if (path == "-") {
    out.raw(*program);
    return result;
  }
  if (auto done = writeFile(path, *program); !done) return std::move(done).error();
  std::error_code failed;
  std::filesystem::permissions(
      path,
      std::filesystem::perms::owner_exec | std::filesystem::perms::group_exec | std::filesystem::perms::others_exec,
      std::filesystem::perm_options::add, failed);
  if (failed) return Error{ErrorCode::FileUnwritable, fmt::format("{}: {}", path, failed.message())};
  return result;
}

}  // namespace lathe::tool
