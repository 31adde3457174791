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
std::map<std::string, std::string> factsOf(const CompileKey& key, const PathMap& map) {
  std::map<std::string, std::string> out;
  for (const KeyPart& part : key.parts) out[part.name] = map.shown(part.value);
  auto job = jobFromBytes(key.job);
  if (!job) return out;
  forEachPath(*job, [&](std::string& path) { path = map.shown(path); });
  const auto json = nlohmann::json::parse(toJson(*job), nullptr, /*allow_exceptions=*/false).flatten();
  for (const auto& [path, value] : json.items()) {
    if (value.is_null()) continue;  // empty lists and maps are as if they were not there
    out[path.substr(std::min<std::size_t>(1, path.size()))] =
        value.is_string() ? value.get<std::string>() : value.dump();
  }
  return out;
}

std::vector<std::string> differences(const CompileKey& ours, const CompileKey& theirs, const PathMap& map) {
  const auto here = factsOf(ours, map), there = factsOf(theirs, map);
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
bool isTimed(const std::string& path, llvm::vfs::FileSystem& files) {
  const auto text = files.getBufferForFile(path);
  return text && (*text)->getBuffer().contains("__TIMESTAMP__");
}

std::string timedLine(const std::string& path) {
  return path + ": has __TIMESTAMP__, so that no result is kept";
}

std::string changeOf(const FileLook& look, const MachineNow& now) {
  const std::string path = now.map.local(look.path).value_or(now.map.shown(look.path));
  if (look.kind == LookKind::read && isTimed(path, *now.files)) return timedLine(path);
  switch (look.kind) {
    case LookKind::absent:
      return path + ": is there now, and was looked for in vain";
    case LookKind::folder:
      return path + ": is a file now, and was a folder";
    case LookKind::present:
      return path + ": is gone, or has another size";
    case LookKind::read:
      return path + ": is changed or gone";
    case LookKind::here:
      return path + ": was the working directory, by which files were looked for";
    case LookKind::toolkit:
      return look.digest.empty() ? "a toolkit's headers are there now" : look.digest + ": were the toolkit's headers";
    case LookKind::named:
      return look.digest + ": was a folder of the prefix map, and a file that was read names it";
  }
  return {};
}

using Lines = std::vector<std::string>;

/// The reasons why none of `inputs` serves; empty: one does. `has` tells whether its result is there, or why it is not.
Lines missesIn(const CacheInputs& inputs, const MachineNow& now,
               llvm::function_ref<bool(const std::string& result, std::string& why)> has) {
  Lines out;
  for (const CacheVariant& variant : inputs.variants) {
    const FileLook* const change = firstChange(variant.files, now);
    std::string why;
    if (!change && has(variant.result, why)) return {};
    out.push_back(change        ? changeOf(*change, now)
                  : why.empty() ? "its result was removed to make room"
                                : std::move(why));
  }
  return out;
}

/// What was compiled of the same source, or of another text under its name, and differs least from `key`.
Lines nearestOnDisk(const DiskCache& disk, const CompileKey& key, const Job& job, const MachineNow& now) {
  Lines fewest;
  const std::string name = now.map.shared(job.source.name);
  for (const EntryFile& entry : disk.entries()) {
    if (entry.kind != EntryKind::inputs) continue;
    const auto inputs = readInputs(disk, entry.key);
    if (!inputs) continue;
    const auto other = jobFromBytes(inputs->key.job);
    if (!other || (other->source.name != name && other->source.text != job.source.text)) continue;
    auto found = differences(key, inputs->key, now.map);
    if (fewest.empty() || found.size() < fewest.size()) fewest = std::move(found);
  }
  return fewest;
}

Lines missesOnDisk(const DiskCache& disk, const CompileKey& key, const Job& job, const MachineNow& now,
                   FilesOfJob filesOf) {
  Lines out;
  std::string why;
  if (const auto inputs = readInputs(disk, key.digest(), &why)) {
    out = missesIn(*inputs, now, [&](const std::string& result, std::string& problem) {
      return disk.read(result, EntryKind::result, &problem).has_value();
    });
    if (out.empty()) return out;
  } else if (!why.empty()) {
    out.push_back(std::move(why));
  } else {
    for (const std::string& path : filesOf()) {
      if (isTimed(path, *now.files)) out.push_back(timedLine(path));
    }
    if (out.empty()) out = nearestOnDisk(disk, key, job, now);
  }
  if (out.empty()) out.push_back("nothing of this source is in " + disk.folder().string());
  if (disk.readOnly())
    out.push_back(disk.folder().string() + ": is only read, so that nothing new is kept there");
  else if (disk.isFull())
    out.push_back(disk.folder().string() + ": its disk is full, so that nothing new is kept there");
  return out;
}

Lines missesOf(RemoteTier& remote, const CompileKey& key, const MachineNow& now) {
  Lines out;
  const auto inputs = readInputs(remote, key.digest());
  if (inputs)
    out = missesIn(*inputs, now, [&](const std::string& result, std::string& why) {
      const bool has = remote.read(result).has_value();
      if (!has) why = "its result is gone, or damaged";
      return has;
    });
  else if (const std::string problem = remote.problem(); !problem.empty())
    out.push_back("it is not asked for a minute: " + problem);
  else
    out.emplace_back("it has nothing of this job, or something damaged");
  for (std::string& line : out) line.insert(0, remote.address() + ": ");
  return out;
}

}  // namespace

Result<std::vector<std::string>> whyMiss(const CompileCache& cache, const CompileKey& key, const Job& job,
                                         const MachineNow& now, FilesOfJob filesOf) {
  const DiskCache* const disk = cache.disk();
  if (!disk && cache.remotes().empty()) {
    return Error{.code = ErrorCode::InvalidArgument,
                 .message = "there is no cache folder in use",
                 .hint =
                     "LATHE_CACHE=off and CompilerConfig::cache turn it off; `lathe cache stats` says what is wrong "
                     "with a folder"};
  }
  Lines out;
  if (disk && (out = missesOnDisk(*disk, key, job, now, filesOf)).empty()) return out;
  for (const auto& remote : cache.remotes()) {
    const Lines lines = missesOf(*remote, key, now);
    if (lines.empty()) return lines;
    out.insert(out.end(), lines.begin(), lines.end());
  }
  return out;
}

}  // namespace lathe::detail
