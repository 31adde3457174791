// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/driver/observe/dump_folder.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "core/support/file.h"

namespace lathe {

std::string StageDump::fileName() const {
  const std::vector<StageInfo> stages = Compiler::stages();
  const auto at = std::ranges::find(stages, stage, &StageInfo::name);
  return fmt::format("{:02}-{}.ll", at - stages.begin() + 1, stage);
}

namespace detail {

Result<void> dumpInto(const std::string& folder, const Job& job, const Result<CompileResult>& result) {
  const std::vector<StageDump>& dumps = result ? result->dumps : result.error().dumps;
  if (!result && dumps.empty()) return {};
  const std::string& target = result ? result->image.info().target : job.target;
  const std::string& arch = result ? result->image.info().arch : job.arch;
  std::string name = fmt::format("{}-{}-{}-{}", std::filesystem::path(job.source.name).stem().string(), target,
                                 arch.empty() ? "default" : arch, hashOf(job).hex().substr(0, 8));
  std::ranges::replace(name, '/', '_');
  const std::filesystem::path into = std::filesystem::path(folder) / name;
  std::error_code failed;
  std::filesystem::create_directories(into, failed);
  if (failed)
    return Error{ErrorCode::FileUnwritable,
                 fmt::format("{}: {} cannot be created: {}", dumpFolderVariable, into.string(), failed.message())};
  for (const StageDump& dump : dumps) {
    if (auto done = writeFile(into / dump.fileName(), dump.ir); !done) return done;
  }
  if (!result) return {};
  for (const Code& code : result->image.code()) {
    const std::string_view bytes(reinterpret_cast<const char*>(code.bytes.data()), code.bytes.size());
    if (auto done = writeFile(into / fmt::format("code.{}", code.format), bytes); !done) return done;
  }
  return {};
}

}  // namespace detail
}  // namespace lathe
