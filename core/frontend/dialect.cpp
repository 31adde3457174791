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

std::vector<std::string> namesOf(const std::vector<const Dialect*>& taken) {
  std::vector<std::string> names = {"ir"};
  for (const Dialect* dialect : taken) names.emplace_back(dialect->name);
  return names;
}

Error notTaken(std::string_view dialect, const std::vector<const Dialect*>& taken, const Descriptor& descriptor) {
  std::string list;
  for (const std::string& name : namesOf(taken)) list += (list.empty() ? "" : ", ") + name;
  return {.code = ErrorCode::InvalidArgument,
          .message = "target '" + descriptor.name + "' takes no sources of dialect '" + std::string(dialect) + "'",
          .hint = "it takes " + list};
}

Error unknownDialect(const std::string& asked, const std::vector<const Dialect*>& taken, const Descriptor& descriptor,
                     Dialects known) {
  if (std::ranges::find(known, asked, &Dialect::name) == known.end())
    return {.code = ErrorCode::InvalidArgument,
            .message = "no dialect is called '" + asked + "'" + didYouMean(asked, namesOf(taken))};
  return notTaken(asked, taken, descriptor);
}

/// An ending of file names and the dialect that owns it.
struct Ending {
  const Dialect* dialect = nullptr;  ///< null: no dialect owns the file's ending
  std::string_view text;
};

/// The longest ending of `file` that one of the dialects owns; of equal ones the first dialect's.
Ending endingOf(std::string_view file, Dialects dialects) {
  Ending best;
  for (const Dialect* dialect : dialects) {
    for (const std::string_view ending : dialect->extensions) {
      if (ending.size() > best.text.size() && file.ends_with(ending)) best = {dialect, ending};
    }
  }
  return best;
}

/// The endings of C and C++ themselves, which sources of every dialect may have.
bool isPlainEnding(std::string_view ending) {
  constexpr std::string_view endings[] = {".c", ".cc", ".cpp", ".cxx", ".h", ".hpp"};
  return std::ranges::find(endings, ending) != std::end(endings);
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
  if (const Ending own = endingOf(source.name, taken); own.dialect) return own.dialect;
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
  if (const Ending other = endingOf(source.name, known); other.dialect && !isPlainEnding(other.text)) {
    Error error = notTaken(other.dialect->name, taken, descriptor);
    error.message += ", which files that end in " + std::string(other.text) + " are in";
    error.hint += "; -x reads the file as one of them";
    error.location = {source.name, 0, 0};
    return error;
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
