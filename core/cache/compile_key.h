// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known, before anything is compiled, of all that decides a compile's result: the job and the parts of its
// surroundings. Files that the source reads are known afterwards only (core/frontend/files/file_looks.h).
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <lathe/compiler.h>
#include <lathe/sdk/variables.h>

#include "core/values/describe.h"

namespace lathe::detail {

class LibraryStore;
class TargetRegistry;

/// One thing outside of the job that decides the result.
struct KeyPart {
  std::string name;   ///< for people: "architecture", "library libdevice"
  std::string value;  ///< as it is, or its digest in hexadecimal digits
  bool operator==(const KeyPart&) const = default;
};
template <>
struct Description<KeyPart> {
  static constexpr auto fields = std::tuple(field("name", &KeyPart::name), field("value", &KeyPart::value));
};

struct CompileKey {
  std::string job;  ///< canonicalBytes()
  std::vector<KeyPart> parts;
  /// The BLAKE3-256 of all of it, 32 bytes.
  [[nodiscard]] std::string digest() const;
  bool operator==(const CompileKey&) const = default;
};

/// The digests of keys that were asked for before, found by comparing the keys: a digest takes longer than all else of
/// a hit in memory. Thread-safe.
class KeyDigests {
 public:
  /// `mostBytes`: of keys that are kept; with more, all are forgotten.
  explicit KeyDigests(std::uint64_t mostBytes) : mostBytes_(mostBytes) {}
  [[nodiscard]] std::string of(const CompileKey& key);

 private:
  std::uint64_t mostBytes_;
  std::mutex mutex_;
  std::unordered_multimap<std::uint64_t, std::pair<CompileKey, std::string>> known_;
  std::uint64_t bytes_ = 0;
};

/// The key of `job`, with libraries as they are now. `hasResolver`: sources are asked for headers of a HeaderResolver,
/// in a folder of its own that is searched; what it gives counts as files do. Errors: those with which the compile
/// fails before it reads the source (UnknownTarget, DescriptorInvalid, UnknownArchitecture, …).
[[nodiscard]] Result<CompileKey> keyOf(const Job& job, const TargetRegistry& targets, LibraryStore& libraries,
                                       const sdk::Variables& variables, bool hasResolver = false);

/// The files that decide a compile of `job` beside those that its sources read: descriptors of the target and of what
/// it extends, plugins, device libraries. What is built in has none.
[[nodiscard]] std::vector<std::string> filesBesideSources(const Job& job, const TargetRegistry& targets,
                                                          LibraryStore& libraries);

/// The folder of a dialect's toolkit that a compile of `job` would use now; empty: none. What results depend on where
/// their sources name its headers (MachineNow).
[[nodiscard]] std::string toolkitNow(const Job& job, const TargetRegistry& targets, const sdk::Variables& variables,
                                     std::string_view dialect);

}  // namespace lathe::detail
