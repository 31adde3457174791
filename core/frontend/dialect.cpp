// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which dialect a source is written in.
#include "core/frontend/dialect.h"

#include <algorithm>
#include <filesystem>

#include "core/descriptor/descriptor.h"
#include "core/frontend/ir_reader.h"
#include "core/support/nearest.h"

namespace lathe::detail {
namespace {

using Dialects = std::span<const Dialect* const>;

/// In the descriptor's order, or all portable ones where it lists none.
std::vector<const Dialect*> dialectsFor(const Descriptor& descriptor, Dialects known) {
  std::vector<const Dialect*> out;
  if (descriptor.dialects.empty()) {
    std::ranges::copy_if(known, std::back_inserter(out), &Dialect::portable);
    return out;
  }
  for (const std::string& name : descriptor.dialects) {
    const auto found = std::ranges::find(known, name, &Dialect::name);
    if (found != known.end()) out.push_back(*found);
  }
  return out;
}

Error unknownDialect(const std::string& asked, const std::vector<const Dialect*>& taken, const Descriptor& descriptor,
                     Dialects known) {
  std::vector<std::string> names = {"ir"};
  for (const Dialect* dialect : taken) names.emplace_back(dialect->name);
  if (std::ranges::find(known, asked, &Dialect::name) == known.end())
    return {.code = ErrorCode::InvalidArgument,
            .message = "no dialect is called '" + asked + "'" + didYouMean(asked, names)};
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  return {.code = ErrorCode::InvalidArgument,
          .message = "target '" + descriptor.name + "' takes no sources of dialect '" + asked + "'",
          .hint = "it takes " + list};
}

}  // namespace

Result<const Dialect*> dialectOf(const Source& source, const Descriptor& descriptor, Dialects known) {
  if (source.dialect == "ir") return nullptr;
  const std::vector<const Dialect*> taken = dialectsFor(descriptor, known);
  if (!source.dialect.empty()) {
    const auto found = std::ranges::find(taken, source.dialect, &Dialect::name);
    if (found == taken.end()) return unknownDialect(source.dialect, taken, descriptor, known);
    return *found;
  }
  if (looksLikeIr(source.text)) return nullptr;
  const std::string extension = std::filesystem::path(source.name).extension().string();
  if (extension == ".ll" || extension == ".bc") return nullptr;
  const Dialect* best = nullptr;
  std::size_t longest = 0;
  for (const Dialect* dialect : taken) {
    for (const std::string_view ending : dialect->extensions) {
      if (ending.size() <= longest || !source.name.ends_with(ending)) continue;
      best = dialect;
      longest = ending.size();
    }
  }
  if (best) return best;
  if (taken.empty()) {
    std::string listed, names;
    for (const std::string& name : descriptor.dialects) listed += (listed.empty() ? "'" : ", '") + name + "'";
    for (const Dialect* dialect : known) names += (names.empty() ? "" : ", ") + std::string(dialect->name);
    return Error{.code = ErrorCode::InvalidArgument,
                 .message = "target '" + descriptor.name +
                            "' takes no sources, only IR: none of the dialects it lists (" + listed + ") is built in",
                 .hint = "built in are " + names,
                 .location = {descriptor.origin, 0, 0}};
  }
  return taken.front();
}

std::string standardOf(const Options& options, const Dialect& dialect) {
  if (!dialect.standard.empty() && options.languageStandard == Options().languageStandard)
    return std::string(dialect.standard);
  if (dialect.oldestStandard.empty()) return options.languageStandard;
  llvm::StringRef year = options.languageStandard;
  if (!year.consume_front("c++")) year.consume_front("gnu++");
  constexpr llvm::StringRef old[] = {"98", "03", "0x", "11", "1y", "14", "1z", "17"};
  return llvm::is_contained(old, year) ? std::string(dialect.oldestStandard) : options.languageStandard;
}

}  // namespace lathe::detail
