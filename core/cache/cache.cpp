// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// lathe::Cache: a cache's folder from outside.
#include <lathe/cache.h>

#include <algorithm>

#include "llvm/ADT/StringExtras.h"

#include "core/cache/compile_cache.h"
#include "core/cache/disk_cache.h"
#include "core/cache/transfer.h"
#include "core/store/cache_folder.h"

namespace lathe {

struct Cache::Impl {
  std::unique_ptr<detail::DiskCache> disk;
  detail::RemoteTiers remotes;
};

Cache::Cache(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Cache::Cache(Cache&&) noexcept = default;
Cache& Cache::operator=(Cache&&) noexcept = default;
Cache::~Cache() = default;

std::string_view cacheOriginName(CacheOrigin origin) noexcept {
  constexpr std::string_view names[] = {"compiled", "memory", "disk", "remote"};
  return names[static_cast<std::size_t>(origin)];
}

std::filesystem::path cacheFolder(const CacheConfig& config) {
  if (!config.folder.empty()) return config.folder;
  return detail::cache_folder::usual();
}

Result<Cache> Cache::open(const CacheConfig& config) {
  auto addresses = detail::remoteAddresses(config);
  if (!addresses) return std::move(addresses).error();
  std::string why;
  auto disk = detail::openFolder(config, why);
  if (!disk) {
    return Error{.code = ErrorCode::InvalidArgument,
                 .message = "no cache folder: " + why,
                 .hint = "name one by LATHE_CACHE_DIR or CacheConfig::folder"};
  }
  auto impl = std::make_unique<Impl>(Impl{std::move(disk), {}});
  for (detail::RemoteAddress& address : *addresses)
    impl->remotes.push_back(
        std::make_unique<detail::RemoteTier>(std::move(address), /*readOnly=*/false, impl->disk.get()));
  return Cache(std::move(impl));
}

CacheStats Cache::stats() const {
  using detail::CacheCount;
  const detail::DiskCache& disk = *impl_->disk;
  CacheStats out{.folder = disk.folder().string(),
                 .diskBytes = disk.mostBytes(),
                 .memoryHits = disk.counted(CacheCount::memoryHits),
                 .diskHits = disk.counted(CacheCount::diskHits),
                 .misses = disk.counted(CacheCount::misses),
                 .stores = disk.counted(CacheCount::stores),
                 .damaged = disk.counted(CacheCount::damaged),
                 .evicted = disk.counted(CacheCount::evicted),
                 .remoteHits = disk.counted(CacheCount::remoteHits),
                 .remoteFailures = disk.counted(CacheCount::remoteFailures),
                 .uploads = disk.counted(CacheCount::uploads)};
  for (const auto& remote : impl_->remotes)
    out.remotes.push_back({remote->address(), remote->readOnly(), remote->problem()});
  for (const detail::EntryFile& entry : disk.entries()) {
    out.bytes += entry.bytes;
    out.entries += entry.kind == detail::EntryKind::result ? 1 : 0;
  }
  return out;
}

std::vector<CacheEntry> Cache::entries() const {
  constexpr std::int64_t second = 1'000'000'000;
  std::vector<CacheEntry> out;
  std::map<std::string, std::uint64_t> sizes;
  const auto files = impl_->disk->entries();
  for (const detail::EntryFile& file : files) {
    if (file.kind == detail::EntryKind::result) sizes[file.key] = file.bytes;
  }
  for (const detail::EntryFile& file : files) {
    if (file.kind != detail::EntryKind::inputs) continue;
    const auto inputs = detail::readInputs(*impl_->disk, file.key);
    if (!inputs) continue;
    CacheEntry entry{.key = llvm::toHex(file.key, /*LowerCase=*/true),
                     .description = inputs->description,
                     .bytes = file.bytes,
                     .lastUse = file.lastUse / second};
    for (const detail::CacheVariant& variant : inputs->variants) {
      const auto size = sizes.find(variant.result);
      if (size == sizes.end()) continue;  // made room
      entry.bytes += size->second;
      ++entry.variants;
    }
    if (entry.variants > 0) out.push_back(std::move(entry));
  }
  std::ranges::sort(out, [](const CacheEntry& a, const CacheEntry& b) {
    return a.lastUse != b.lastUse ? a.lastUse > b.lastUse : a.key < b.key;
  });
  return out;
}

bool Cache::readOnly() const {
  return impl_->disk->readOnly();
}

std::uint64_t Cache::verify() {
  return impl_->disk->verify();
}

std::uint64_t Cache::prune(std::uint64_t bytes) {
  return impl_->disk->prune(bytes);
}

std::uint64_t Cache::clear() {
  return impl_->disk->clear();
}

Result<std::uint64_t> Cache::exportTo(const std::filesystem::path& file) const {
  return detail::exportEntries(*impl_->disk, file);
}

Result<std::uint64_t> Cache::importFrom(const std::filesystem::path& file) {
  return detail::importEntries(*impl_->disk, file);
}

}  // namespace lathe
