// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Looking in memory, then on disk, then on networks, then compiling; and which results are worth keeping.
#include "core/cache/compile_cache.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "core/cache/build_identity.h"
#include "core/cache/result_frame.h"
#include "core/cache/shared_paths.h"
#include "core/support/cancelled.h"
#include "core/support/digest.h"
#include "core/support/log.h"
#include "core/values/cbor.h"

namespace lathe::detail {
namespace {

/// Lists of files that one key keeps: with more, the headers change all the time.
constexpr std::size_t mostVariants = 16;

std::string_view environment(const char* name) {
  const char* const value = std::getenv(name);
  return value ? value : "";
}

/// The entry that a compile of `key` with these files has its result in.
std::string resultKey(const std::string& key, const FileLooks& files) {
  Digest digest;
  digest.add(key);
  for (const FileLook& look : files.looks)
    digest.add(look.path)
        .add(nameOf(look.kind))
        .add(look.digest)
        .add(std::to_string(look.sameAs))
        .add(std::to_string(look.size));
  return digest.bytes();
}

/// Whether the source is to blame and nothing else, so that it fails in the same way each time.
bool isOfTheSource(const Error& error) {
  constexpr ErrorCode codes[] = {ErrorCode::SourceError, ErrorCode::HeaderNotFound, ErrorCode::UnknownKernel,
                                 ErrorCode::InvalidModule, ErrorCode::PortableRule};
  return std::ranges::find(codes, error.code) != std::end(codes);
}

bool isWorthKeeping(const Result<CompileResult>& outcome, const FileLooks& files) {
  return files.repeatable && (outcome || isOfTheSource(outcome.error()));
}

std::vector<std::filesystem::path> readOnlyFolders(const CacheConfig& config) {
  if (!config.readOnlyFolders.empty()) return config.readOnlyFolders;
  std::vector<std::filesystem::path> out;
  llvm::SmallVector<llvm::StringRef> folders;
  const std::string_view list = environment("LATHE_CACHE_READ_DIRS");
  llvm::StringRef(list.data(), list.size()).split(folders, ':', -1, /*KeepEmpty=*/false);
  for (const llvm::StringRef folder : folders) out.emplace_back(folder.str());
  return out;
}

/// An entry's result as this machine's, with what no entry holds of it: where it was found, and, from the list that led
/// to it, its files.
Result<CompileResult> found(Result<CompileResult> outcome, CacheOrigin origin, const FileLooks& files,
                            const MachineNow& now) {
  outcome = localOutcome(std::move(outcome), now.map);
  if (!outcome) return outcome;
  outcome->origin = origin;
  outcome->files = filesIn(files, now.map);
  return outcome;
}

std::optional<CacheInputs> decodeInputs(const std::optional<std::string>& bytes) {
  if (!bytes) return std::nullopt;
  CborReader in(*bytes);
  CacheInputs out;
  readValue(in, out);
  if (!in.atEnd()) return std::nullopt;
  return out;
}

/// `inputs` with an outcome more, as the bytes of an entry.
std::string withVariant(std::optional<CacheInputs> known, const CompileKey& key, const std::string& description,
                        const CacheVariant& variant) {
  CacheInputs inputs = std::move(known).value_or(CacheInputs{});
  inputs.description = description;
  inputs.key = key;
  std::erase_if(inputs.variants, [&](const CacheVariant& other) { return other.result == variant.result; });
  inputs.variants.insert(inputs.variants.begin(), variant);
  if (inputs.variants.size() > mostVariants) inputs.variants.resize(mostVariants);
  CborWriter out;
  writeValue(out, inputs);
  return out.take();
}

}  // namespace

std::optional<CacheInputs> readInputs(const DiskCache& disk, std::string_view key, std::string* why) {
  return decodeInputs(disk.read(key, EntryKind::inputs, why));
}

std::optional<CacheInputs> readInputs(RemoteTier& remote, std::string_view key) {
  return decodeInputs(remote.read(key));
}

namespace {

bool isOn(const CacheConfig& config) {
  return config.enabled && environment("LATHE_CACHE") != "off";
}

bool isReadOnly(const CacheConfig& config) {
  return config.readOnly || environment("LATHE_CACHE") == "readonly";
}

}  // namespace

bool usesFolder(const CacheConfig& config) {
  return isOn(config) && config.disk;
}

std::unique_ptr<DiskCache> openFolder(const CacheConfig& config, std::string& why) {
  return DiskCache::open(cacheFolder(config), config.diskBytes, isReadOnly(config), why);
}

CompileCache::CompileCache(const CacheConfig& config, std::vector<RemoteAddress> remotes)
    : enabled_(isOn(config)), memoryBytes_(config.memoryBytes), digests_(config.memoryBytes / 16) {
  if (!enabled_) return;
  if (const std::string_view asked = environment("LATHE_CACHE"); !asked.empty() && asked != "readonly") {
    log(LogLevel::warning, "cache",
        fmt::format("LATHE_CACHE={} means nothing: 'off' and 'readonly' do; the cache is used", asked));
  }
  std::string why;
  const auto refuses = [&] {
    log(LogLevel::warning, "cache", fmt::format("the folder is not used: {}", why));
  };
  for (const auto& folder : readOnlyFolders(config)) {
    if (auto disk = DiskCache::open(folder, 0, /*readOnly=*/true, why))
      readOnly_.push_back(std::move(disk));
    else
      refuses();
  }
  if (usesFolder(config)) {
    disk_ = openFolder(config, why);
    if (!disk_) refuses();
  }
  for (RemoteAddress& address : remotes)
    remotes_.push_back(std::make_unique<RemoteTier>(std::move(address), isReadOnly(config), disk_.get()));
}

void CompileCache::count(CacheCount what) const {
  if (disk_) disk_->count(what);
}

Result<CompileResult> CompileCache::get(const CompileKey& key, const Job& job, const MachineNow& now, const Wish& wish,
                                        const Compile& compile) {
  auto out = find(key, job, now, wish, compile);
  // Another thread may have compiled it, and the writer not have come to it yet.
  if (wish.durable) writer_.settle();
  return out;
}

Result<CompileResult> CompileCache::find(const CompileKey& key, const Job& job, const MachineNow& now, const Wish& wish,
                                         const Compile& compile) {
  const std::string digest = digests_.of(key);
  std::shared_ptr<Flight> flight;
  while (!flight) {
    if (auto hit = fromMemory(digest, now)) return *std::move(hit);
    std::unique_lock lock(mutex_);
    const auto [at, first] = flights_.try_emplace(digest);
    if (first) {
      flight = at->second = std::make_shared<Flight>();
      break;
    }
    const auto other = at->second;
    if (!landed_.wait(lock, wish.stop, [&] { return other->landed; })) return cancelled();
  }
  const auto land = [&](CompileCache* self) {
    const std::lock_guard lock(self->mutex_);
    flight->landed = true;
    self->flights_.erase(digest);
    self->landed_.notify_all();
  };
  const std::unique_ptr<CompileCache, decltype(land)> landing(this, land);

  std::optional<KeyLock> lock;
  if (disk_ || !readOnly_.empty()) {
    auto hit = fromDisk(digest, now);
    if (!hit && disk_) {
      lock.emplace(disk_->lock(digest, wish.stop));
      if (wish.stop.stop_requested()) return cancelled();
      if (lock->waited()) hit = fromDisk(digest, now);
    }
    if (hit) return *std::move(hit);
  }
  const bool forks = wish.mayFork();
  std::shared_ptr<const Kept> kept = fromRemotes(digest, now);
  const bool isRemote = kept != nullptr;
  std::optional<Outcome> compiled;
  if (!isRemote) {
    count(CacheCount::misses);
    if (forks) writer_.drain();
    FileLooks learned;
    auto outcome = compile(learned);
    if (!isWorthKeeping(outcome, learned)) return outcome;
    bindToPlace(learned, outcome, now.map);
    kept = std::make_shared<const Kept>(Kept{shared(std::move(learned), now.map), sharedOutcome(outcome, now.map)});
    compiled = std::move(outcome);
  }
  if (disk_ || (!isRemote && !remotes_.empty())) {
    // The lock goes with it: other processes find the entry, or wait for it.
    auto write = [this, digest, key, description = describe(job), kept, isRemote, lock = std::move(lock)] {
      store(digest, key, description, *kept, isRemote);
    };
    if (forks || wish.durable)
      write();
    else
      writer_.add(std::move(write));
  }
  remember(digest, kept);  // last, so that a hit in memory is written, or waits for the writer
  return compiled ? *std::move(compiled) : found(kept->outcome, CacheOrigin::remote, kept->files, now);
}

std::optional<CompileCache::Outcome> CompileCache::fromMemory(const std::string& key, const MachineNow& now) {
  llvm::SmallVector<std::shared_ptr<const Kept>, 4> candidates;
  {
    const std::lock_guard lock(mutex_);
    const auto [first, last] = index_.equal_range(key);
    for (auto at = first; at != last; ++at) {
      remembered_.splice(remembered_.begin(), remembered_, at->second);
      candidates.push_back(at->second->kept);
    }
  }
  for (const auto& kept : candidates) {
    if (!holds(kept->files, now)) continue;
    count(CacheCount::memoryHits);
    return found(kept->outcome, CacheOrigin::memory, kept->files, now);
  }
  return std::nullopt;
}

std::optional<CompileCache::Outcome> CompileCache::fromDisk(const std::string& key, const MachineNow& now) {
  auto hit = disk_ ? fromFolder(*disk_, key, now) : std::nullopt;
  for (std::size_t i = 0; i < readOnly_.size() && !hit; ++i) hit = fromFolder(*readOnly_[i], key, now);
  if (hit) count(CacheCount::diskHits);
  return hit;
}

std::optional<CompileCache::Outcome> CompileCache::fromFolder(const DiskCache& disk, const std::string& key,
                                                              const MachineNow& now) {
  const auto inputs = readInputs(disk, key);
  if (!inputs) return std::nullopt;
  for (const CacheVariant& variant : inputs->variants) {
    if (!holds(variant.files, now)) continue;
    const auto bytes = disk.read(variant.result, EntryKind::result);
    if (!bytes) continue;
    auto outcome = decodeCompileResult(*bytes, nullptr);
    if (!outcome && !isOfTheSource(outcome.error())) continue;  // written by another version, and no result
    remember(key, std::make_shared<const Kept>(Kept{variant.files, outcome}));
    return found(std::move(outcome), CacheOrigin::disk, variant.files, now);
  }
  return std::nullopt;
}

std::shared_ptr<const CompileCache::Kept> CompileCache::fromRemotes(const std::string& key, const MachineNow& now) {
  for (const auto& remote : remotes_) {
    const auto inputs = readInputs(*remote, key);
    if (!inputs || inputs->key.digest() != key) continue;
    for (const CacheVariant& variant : inputs->variants) {
      if (!holds(variant.files, now)) continue;
      const auto bytes = remote->read(variant.result);
      if (!bytes) continue;
      auto outcome = decodeCompileResult(*bytes, nullptr);
      if (!isWorthKeeping(outcome, variant.files)) continue;
      count(CacheCount::remoteHits);
      return std::make_shared<const Kept>(Kept{variant.files, std::move(outcome)});
    }
  }
  return nullptr;
}

void CompileCache::remember(const std::string& key, std::shared_ptr<const Kept> kept) {
  std::uint64_t bytes = 256;  // what an entry takes at least
  if (kept->outcome) bytes += kept->outcome->image.bytes().size();
  for (const FileLook& look : kept->files.looks) bytes += sizeof(FileLook) + look.path.size();
  if (bytes > memoryBytes_) return;
  const std::lock_guard lock(mutex_);
  remembered_.push_front({key, std::move(kept), bytes});
  index_.emplace(key, remembered_.begin());
  rememberedBytes_ += bytes;
  while (rememberedBytes_ > memoryBytes_) {
    const auto oldest = std::prev(remembered_.end());
    const auto [first, last] = index_.equal_range(oldest->key);
    index_.erase(std::find_if(first, last, [&](const auto& entry) { return entry.second == oldest; }));
    rememberedBytes_ -= oldest->bytes;
    remembered_.pop_back();
  }
}

void CompileCache::store(const std::string& digest, const CompileKey& key, const std::string& description,
                         const Kept& kept, bool isRemote) const {
  const CacheVariant variant{kept.files, resultKey(digest, kept.files)};
  const std::string value = encodeCompileResult(kept.outcome, nullptr);
  if (disk_) {
    disk_->write(variant.result, EntryKind::result, value);
    disk_->write(digest, EntryKind::inputs, withVariant(readInputs(*disk_, digest), key, description, variant));
    disk_->count(CacheCount::stores);
  }
  if (isRemote) return;
  for (const auto& remote : remotes_) {
    // Two that write at once may lose one list: a compile more, later.
    if (!remote->write(variant.result, value)) continue;
    if (remote->write(digest, withVariant(readInputs(*remote, digest), key, description, variant)))
      count(CacheCount::uploads);
  }
}

}  // namespace lathe::detail
