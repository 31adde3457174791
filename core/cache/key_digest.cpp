// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A key as 32 bytes.
#include "llvm/Support/xxhash.h"

#include "core/cache/compile_key.h"
#include "core/support/digest.h"

namespace lathe::detail {

std::string CompileKey::digest() const {
  constexpr std::string_view format = "lathe cache key 1";
  Digest out;
  out.add(format).add(job);
  for (const KeyPart& part : parts) out.add(part.name).add(part.value);
  return out.bytes();
}

std::string KeyDigests::of(const CompileKey& key) {
  const std::uint64_t hash = llvm::xxh3_64bits(key.job);
  {
    const std::lock_guard lock(mutex_);
    const auto [first, last] = known_.equal_range(hash);
    for (auto at = first; at != last; ++at) {
      if (at->second.first == key) return at->second.second;
    }
  }
  std::string digest = key.digest();
  std::uint64_t bytes = key.job.size();
  for (const KeyPart& part : key.parts) bytes += part.name.size() + part.value.size();
  const std::lock_guard lock(mutex_);
  if (bytes_ + bytes > mostBytes_) {
    known_.clear();
    bytes_ = 0;
  }
  if (bytes <= mostBytes_) {
    known_.emplace(hash, std::pair(key, digest));
    bytes_ += bytes;
  }
  return digest;
}

}  // namespace lathe::detail
