// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A job that is not in the cache is compared with the one there that it shares most with.
#include "core/cache/why_miss.h"

#include <algorithm>
#include <map>

#include <nlohmann/json.hpp>

#include "llvm/ADT/StringExtras.h"

#include "core/cache/compile_cache.h"
#include "core/cache/compile_key.h"

namespace lathe::detail {
namespace {

/// The longest value that is shown as it is.
constexpr std::size_t longestShown = 60;

std::string shown(const std::string& value) {
  constexpr std::size_t digestDigits = 64, shownDigits = 12;
  const bool isDigest = value.size() == digestDigits && llvm::all_of(value, [](char c) { return llvm::isHexDigit(c); });
  if (isDigest) return value.substr(0, shownDigits) + "…";
  const bool isPlain = value.size() <= longestShown && value.find('\n') == std::string::npos;
  return isPlain ? "'" + value + "'" : std::to_string(value.size()) + " bytes";
}

/// A job's fields by their JSON paths without the leading slash, and the parts of its key.
std::map<std::string, std::string> factsOf(const CompileKey& key) {
  std::map<std::string, std::string> out;
  for (const KeyPart& part : key.parts) out[part.name] = part.value;
  const auto job = jobFromBytes(key.job);
  if (!job) return out;
  const auto json = nlohmann::json::parse(toJson(*job), nullptr, /*allow_exceptions=*/false).flatten();
  for (const auto& [path, value] : json.items()) {
    if (value.is_null()) continue;  // empty lists and maps are as if they were not there
    out[path.substr(std::min<std::size_t>(1, path.size()))] =
        value.is_string() ? value.get<std::string>() : value.dump();
  }
  return out;
}

std::vector<std::string> differences(const CompileKey& ours, const CompileKey& theirs) {
  const auto here = factsOf(ours), there = factsOf(theirs);
  std::vector<std::string> out;
  for (const auto& [name, value] : here) {
    const auto other = there.find(name);
    if (other == there.end())
      out.push_back(name + ": " + shown(value) + ", there without");
    else if (other->second != value)
      out.push_back(name + ": " + shown(value) + ", there " + shown(other->second));
  }
  for (const auto& [name, value] : there) {
    if (!here.contains(name)) out.push_back(name + ": none, there " + shown(value));
  }
  return out;
}

/// Whether results that come of a file are never kept (core/frontend/files/file_looks.cpp).
bool isTimed(const FileLook& look, llvm::vfs::FileSystem& files) {
  const auto text = files.getBufferForFile(look.path);
  return text && (*text)->getBuffer().contains("__TIMESTAMP__");
}

std::string changeOf(const FileLook& look, const MachineNow& now) {
  if (look.kind == LookKind::read && isTimed(look, *now.files))
    return look.path + ": has __TIMESTAMP__, so that no result is kept";
  switch (look.kind) {
    case LookKind::absent:
      return look.path + ": is there now, and was looked for in vain";
    case LookKind::folder:
      return look.path + ": is a file now, and was a folder";
    case LookKind::present:
      return look.path + ": is gone";
    case LookKind::read:
      return look.path + ": is changed or gone";
    case LookKind::here:
      return look.path + ": was the working directory, by which files were looked for";
    case LookKind::toolkit:
      return look.digest.empty() ? "a toolkit's headers are there now" : look.digest + ": were the toolkit's headers";
  }
  return {};
}

using Lines = std::vector<std::string>;

/// The reasons why none of `inputs` serves; empty: one does. `read` gives its result.
Lines missesIn(const CacheInputs& inputs, const MachineNow& now,
               llvm::function_ref<bool(const std::string& result)> has) {
  Lines out;
  for (const CacheVariant& variant : inputs.variants) {
    const FileLook* const change = firstChange(variant.files, now);
    if (!change && has(variant.result)) return {};
    out.push_back(change ? changeOf(*change, now) : "its result was removed to make room, or is damaged");
  }
  return out;
}

Lines missesOnDisk(const DiskCache& disk, const CompileKey& key, const Job& job, const MachineNow& now) {
  if (const auto inputs = readInputs(disk, key.digest())) {
    return missesIn(*inputs, now,
                    [&](const std::string& result) { return disk.read(result, EntryKind::result).has_value(); });
  }
  Lines fewest;
  for (const EntryFile& entry : disk.entries()) {
    if (entry.kind != EntryKind::inputs) continue;
    const auto inputs = readInputs(disk, entry.key);
    if (!inputs) continue;
    const auto other = jobFromBytes(inputs->key.job);
    if (!other || (other->source.name != job.source.name && other->source.text != job.source.text)) continue;
    auto found = differences(key, inputs->key);
    if (fewest.empty() || found.size() < fewest.size()) fewest = std::move(found);
  }
  if (fewest.empty()) fewest.emplace_back("nothing of this source is in " + disk.folder().string());
  return fewest;
}

Lines missesOf(RemoteTier& remote, const CompileKey& key, const MachineNow& now) {
  Lines out;
  const auto inputs = readInputs(remote, key.digest());
  if (inputs)
    out = missesIn(*inputs, now, [&](const std::string& result) { return remote.read(result).has_value(); });
  else if (const std::string problem = remote.problem(); !problem.empty())
    out.push_back("it is not asked for a minute: " + problem);
  else
    out.emplace_back("it has nothing of this job, or something damaged");
  for (std::string& line : out) line.insert(0, remote.address() + ": ");
  return out;
}

}  // namespace

Result<std::vector<std::string>> whyMiss(const CompileCache& cache, const CompileKey& key, const Job& job,
                                         const MachineNow& now) {
  const DiskCache* const disk = cache.disk();
  if (!disk && cache.remotes().empty()) {
    return Error{.code = ErrorCode::InvalidArgument,
                 .message = "there is no cache folder in use",
                 .hint =
                     "LATHE_CACHE=off and CompilerConfig::cache turn it off; `lathe cache stats` says what is wrong "
                     "with a folder"};
  }
  Lines out;
  if (disk && (out = missesOnDisk(*disk, key, job, now)).empty()) return out;
  for (const auto& remote : cache.remotes()) {
    const Lines lines = missesOf(*remote, key, now);
    if (lines.empty()) return lines;
    out.insert(out.end(), lines.begin(), lines.end());
  }
  return out;
}

}  // namespace lathe::detail
