// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared paths are written with the position of the map's entry between two marks that no path begins with.
#include "core/frontend/files/path_map.h"

#include "llvm/ADT/StringExtras.h"

namespace lathe::detail {
namespace {

constexpr char mark = '\x1f';

/// Splits what shared() wrote. False: it is a path that no entry fits.
bool parse(llvm::StringRef shared, std::size_t& entry, llvm::StringRef& rest) {
  if (shared.empty() || shared.front() != mark) return false;
  const auto [number, behind] = shared.drop_front().split(mark);
  rest = behind;
  return !number.getAsInteger(10, entry);
}

}  // namespace

PathMap::PathMap(llvm::ArrayRef<std::string> entries) {
  for (const std::string& text : entries) {
    const auto [folder, name] = llvm::StringRef(text).split('=');
    entries_.push_back({folder.str(), name.str()});
  }
}

std::optional<std::size_t> PathMap::entryOf(llvm::StringRef path) const {
  for (std::size_t i = entries_.size(); i-- > 0;) {
    if (!entries_[i].folder.empty() && path.starts_with(entries_[i].folder)) return i;
  }
  return std::nullopt;
}

std::string PathMap::mapped(llvm::StringRef path) const {
  const auto entry = entryOf(path);
  return entry ? entries_[*entry].name + path.drop_front(entries_[*entry].folder.size()).str() : path.str();
}

std::string PathMap::shared(llvm::StringRef path) const {
  const auto entry = entryOf(path);
  if (!entry) return path.str();
  return mark + std::to_string(*entry) + mark + path.drop_front(entries_[*entry].folder.size()).str();
}

std::optional<std::string> PathMap::local(llvm::StringRef shared) const {
  std::size_t entry = 0;
  llvm::StringRef rest;
  if (!parse(shared, entry, rest)) return entryOf(shared) ? std::nullopt : std::optional(shared.str());
  if (entry >= entries_.size()) return std::nullopt;
  std::string out = entries_[entry].folder + rest.str();
  return entryOf(out) == entry ? std::optional(std::move(out)) : std::nullopt;
}

std::string PathMap::shown(llvm::StringRef shared) const {
  std::size_t entry = 0;
  llvm::StringRef rest;
  if (!parse(shared, entry, rest) || entry >= entries_.size()) return shared.str();
  return entries_[entry].name + rest.str();
}

void forEachPath(Job& job, llvm::function_ref<void(std::string&)> change) {
  change(job.source.name);
  for (Source& further : job.furtherSources) change(further.name);
  for (std::string& folder : job.options.includeDirs) change(folder);
}

}  // namespace lathe::detail
