// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which dialect a source is written in.
#include "core/frontend/dialect.h"

#include <algorithm>
#include <filesystem>

#include "core/frontend/ir_reader.h"
#include "core/support/nearest.h"

namespace lathe::detail {

Result<const Dialect*> dialectOf(const Source& source) {
  if (source.dialect == "ir") return nullptr;
  std::vector<std::string> names = {"ir"};
  for (const Dialect* dialect : builtinDialects()) {
    if (dialect->name == source.dialect) return dialect;
    names.emplace_back(dialect->name);
  }
  if (!source.dialect.empty()) {
    return Error{.code = ErrorCode::InvalidArgument,
                 .message = "no dialect is called '" + source.dialect + "'" + didYouMean(source.dialect, names)};
  }
  if (looksLikeIr(source.text)) return nullptr;
  const std::string extension = std::filesystem::path(source.name).extension().string();
  if (extension == ".ll" || extension == ".bc") return nullptr;
  for (const Dialect* dialect : builtinDialects()) {
    if (std::ranges::find(dialect->extensions, extension) != dialect->extensions.end()) return dialect;
  }
  return builtinDialects().front();
}

}  // namespace lathe::detail
