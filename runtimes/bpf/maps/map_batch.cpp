// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Many entries of a map by one call of the kernel (BPF_MAP_*_BATCH, Linux 5.6). Kinds of maps that have no such calls
// answer ENOTSUPP, and are read and written one entry at a time.
#include <linux/bpf.h>

#include <algorithm>
#include <cerrno>

#include <fmt/format.h>

#include "runtimes/bpf/object_state.h"

namespace lathe::bpf {
namespace {

constexpr int kernelNotSupported = -524;  // the kernel's ENOTSUPP, which is no errno of C
constexpr std::uint32_t firstBatch = 1024;

bool isNotThere(int status) {
  return status == kernelNotSupported || status == -ENOTSUP || status == -EINVAL;
}

}  // namespace

/// Gives all entries to `each`, bucket by bucket, or says that the kernel cannot; then `each` was not called.
Result<RawMap::Batch> RawMap::eachBatch(
    bool erase, const std::function<bool(std::span<const std::byte>, std::span<const std::byte>)>& each) const {
  if (descriptor() < 0) return notLoaded();
  if (keyBytes_ == 0) return Batch::notThere;
  const std::size_t valueSize = copies_ * stride_;
  std::uint32_t room = std::clamp(maxEntries(), 1U, firstBatch);
  // Where the kernel stands: a bucket's number or a key.
  std::vector<std::byte> from(std::max<std::size_t>(keyBytes_, sizeof(std::uint64_t))), to(from.size());
  std::vector<std::byte> keys, values;
  bool first = true;
  const auto call = erase ? library().bpf_map_lookup_and_delete_batch : library().bpf_map_lookup_batch;
  for (;;) {
    keys.resize(room * std::size_t{keyBytes_});
    values.resize(room * valueSize);
    std::uint32_t count = room;
    const int status =
        call(descriptor(), first ? nullptr : from.data(), to.data(), keys.data(), values.data(), &count, nullptr);
    if (status == -ENOSPC) {  // one bucket holds more
      room *= 2;
      continue;
    }
    if (status < 0 && status != -ENOENT) {
      if (first && isNotThere(status)) return Batch::notThere;
      return failure(status, "reading its entries");
    }
    for (std::uint32_t i = 0; i < count; ++i) {
      if (!each(std::span(keys).subspan(i * std::size_t{keyBytes_}, keyBytes_),
                std::span(values).subspan(i * valueSize, valueSize)))
        return Batch::done;
    }
    if (status == -ENOENT) return Batch::done;
    first = false;
    std::swap(from, to);
  }
}

Result<void> RawMap::updateAll(std::span<const std::byte> keys, std::span<const std::byte> values,
                               UpdateMode mode) const {
  const std::size_t valueSize = copies_ * stride_;
  const std::size_t count = keyBytes_ == 0 ? 0 : keys.size() / keyBytes_;
  if (descriptor() < 0) return notLoaded();
  if (keyBytes_ == 0 || keys.size() % keyBytes_ != 0 || values.size() != count * valueSize)
    return failure(-EINVAL, fmt::format("{} bytes of keys and {} of values are not the same number of entries",
                                        keys.size(), values.size()));
  // The kernel's batches take no mode: they set what is there and what is not.
  std::uint32_t done = 0;
  if (mode == UpdateMode::any && count != 0) {
    done = static_cast<std::uint32_t>(count);
    const int status = library().bpf_map_update_batch(descriptor(), keys.data(), values.data(), &done, nullptr);
    if (status == 0) return {};
    if (isNotThere(status)) done = 0;
  }
  // The entry that failed says why by itself.
  for (std::size_t i = std::min<std::size_t>(done, count); i < count; ++i) {
    auto set = update(keys.subspan(i * keyBytes_, keyBytes_), values.subspan(i * valueSize, valueSize), mode);
    if (!set) return set;
  }
  return {};
}

Result<std::size_t> RawMap::eraseAll(std::span<const std::byte> keys) const {
  if (descriptor() < 0) return notLoaded();
  if (keyBytes_ == 0 || keys.size() % keyBytes_ != 0)
    return failure(-EINVAL, fmt::format("{} bytes are no whole number of keys", keys.size()));
  const std::size_t count = keys.size() / keyBytes_;
  std::size_t erased = 0;
  for (std::size_t at = 0; at < count;) {
    auto done = static_cast<std::uint32_t>(count - at);
    const int status = library().bpf_map_delete_batch(descriptor(), keys.data() + at * keyBytes_, &done, nullptr);
    if (status == 0) return erased + (count - at);
    const std::size_t now = isNotThere(status) ? 0 : std::min<std::size_t>(done, count - at);
    erased += now;
    at += now;
    if (at == count) break;
    // The key at which the kernel stopped: not there, or an error that it tells alone.
    auto one = erase(keys.subspan(at * keyBytes_, keyBytes_));
    if (!one) return std::move(one).error();
    erased += *one ? 1 : 0;
    ++at;
  }
  return erased;
}

Result<void> RawMap::takeAll(
    const std::function<void(std::span<const std::byte>, std::span<const std::byte>)>& each) const {
  const auto batches = eachBatch(true, [&](auto key, auto value) {
    each(key, value);
    return true;
  });
  if (!batches) return batches.error();
  if (*batches == Batch::done) return {};
  std::vector<std::byte> keys;
  auto read = forEach([&](std::span<const std::byte> key, std::span<const std::byte>) {
    keys.insert(keys.end(), key.begin(), key.end());
    return true;
  });
  if (!read) return read;
  std::vector<std::byte> value(copies_ * stride_);
  for (std::size_t at = 0; at < keys.size(); at += keyBytes_) {
    const auto key = std::span(keys).subspan(at, keyBytes_);
    auto found = lookup(key, value);
    if (!found) return std::move(found).error();
    auto erased = *found ? erase(key) : Result<bool>(false);
    if (!erased) return std::move(erased).error();
    if (*erased) each(key, value);
  }
  return {};
}

}  // namespace lathe::bpf
