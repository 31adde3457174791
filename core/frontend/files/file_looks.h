// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a compile learned of the machine's files, found or looked for in vain: enough to tell later, without compiling,
// whether it would learn the same again.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/VirtualFileSystem.h"

#include "core/frontend/files/path_map.h"
#include "core/values/describe.h"

namespace lathe::detail {

enum class LookKind : std::uint8_t {
  absent,   ///< there was nothing (`__has_include`, folders searched before the one that had it)
  folder,   ///< there was a folder, which is as good as nothing where a file is wanted
  present,  ///< a file whose text nobody wanted
  read,
  /// No look: the working directory, of a compile that asked for absolute paths below it. Clang makes those of `#embed`
  /// of the place of the file that has it, so that elsewhere the same compile asks for others.
  here,
  /// No look: the folder of a toolkit's headers (`digest`), of a compile whose source named such headers; empty: there
  /// was none. `path` is the dialect's name behind a mark.
  toolkit,
  /// No look: a text that was read names a folder (`digest`) of the job's prefix map, so that code may depend on where
  /// that is (`#line`). `path` is the entry's position behind a mark.
  named,
};
constexpr std::string_view nameOf(LookKind kind) {
  switch (kind) {
    case LookKind::absent:
      return "absent";
    case LookKind::folder:
      return "folder";
    case LookKind::present:
      return "present";
    case LookKind::read:
      return "read";
    case LookKind::here:
      return "here";
    case LookKind::toolkit:
      return "toolkit";
    case LookKind::named:
      return "named";
  }
  return {};
}

/// What was learned of one path.
struct FileLook {
  std::string path;  ///< as it was asked for, without "./": one that is relative belongs to the working directory
  LookKind kind = LookKind::absent;
  std::string digest;        ///< of a file that was read: BLAKE3-256 of its text
  std::uint32_t sameAs = 0;  ///< of a file: the first look at it under any path, as `#pragma once` depends on that
  std::uint64_t size = 0;    ///< in bytes, of a file whose text nobody wanted: `__has_embed` depends on it
  bool operator==(const FileLook&) const = default;
};

template <>
struct Description<FileLook> {
  static constexpr auto fields =
      std::tuple(field("path", &FileLook::path), field("kind", &FileLook::kind), field("digest", &FileLook::digest),
                 field("sameAs", &FileLook::sameAs), field("size", &FileLook::size));
};

struct FileLooks {
  std::vector<FileLook> looks;  ///< in the order of the compile
  /// False if the result is for this once: a file changed meanwhile, a text asks for the time it was changed at, or the
  /// system failed to say what there is (no descriptors left, no right to look).
  bool repeatable = true;
  /// False if the sources asked for no file: what Clang looked at on its own account, as folders that would have been
  /// searched, makes no difference.
  bool searched = false;
};

template <>
struct Description<FileLooks> {
  static constexpr auto fields =
      std::tuple(field("looks", &FileLooks::looks), field("repeatable", &FileLooks::repeatable),
                 field("searched", &FileLooks::searched));
};

/// Collects the looks of one compile, which may read its files more than once. Not thread-safe.
class FileLog {
 public:
  /// `map`: of the job; its own in what is learned.
  explicit FileLog(FileLooks& looks, PathMap map = {}) : looks_(looks), map_(std::move(map)) {}
  [[nodiscard]] const PathMap& map() const { return map_; }

  /// What another compile with the same files learned of them, in a log that is empty.
  void adopt(const FileLooks& looks);
  /// Adds what the compile of another source of the same job learned.
  void add(const FileLooks& looks);
  [[nodiscard]] const FileLooks& looks() const { return looks_; }
  /// A look at `path` that failed.
  void failed(llvm::StringRef path, std::error_code why);
  void folder(llvm::StringRef path) { (void)at(path, LookKind::folder); }
  void present(llvm::StringRef path, const llvm::vfs::Status& facts);
  void read(llvm::StringRef path, const llvm::vfs::Status& facts, llvm::StringRef text);
  /// What is learned holds in this working directory only. Its path has a `/` behind: it may be looked at itself.
  void here(llvm::StringRef folder) { (void)at(folder.str() + "/", LookKind::here); }
  void searched() { looks_.searched = true; }
  void toolkit(llvm::StringRef dialect, const std::string& folder);

 private:
  /// The look at `path`, new or made before; null if what was learned before does not go with `kind`.
  FileLook* at(llvm::StringRef path, LookKind kind);
  void identify(FileLook& look, const llvm::vfs::Status& facts);
  /// A text names the folder of that entry of the map.
  void name(std::size_t entry);

  FileLooks& looks_;
  PathMap map_;
  llvm::StringMap<std::uint32_t> indices_;
  std::map<llvm::sys::fs::UniqueID, std::uint32_t> files_;
};

/// Whether a look failed because there is nothing at the path. All other failures say nothing of what is there.
[[nodiscard]] bool isAbsence(std::error_code why);

/// The machine as it is now, for comparing.
struct MachineNow {
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files;          ///< machineFiles()
  std::function<std::string(llvm::StringRef dialect)> toolkitOf;  ///< the folder of its toolkit; empty: none
  PathMap map = {};  ///< of the job that asks; paths of looks are by its shared()
};

/// `looks` with paths as PathMap::shared() writes them.
[[nodiscard]] FileLooks shared(FileLooks looks, const PathMap& map);
/// Makes what was learned hold only where the folder of that entry of `map` is where it is now.
void bindTo(FileLooks& looks, const PathMap& map, std::size_t entry);
/// The paths of the files that were there, as they were asked for. `map`: by which they are shared.
[[nodiscard]] std::vector<std::string> filesIn(const FileLooks& looks, const PathMap& map = {});
/// The look of a toolkit, or null: the compile's source named none of its headers.
[[nodiscard]] const FileLook* toolkitIn(const FileLooks& looks, llvm::StringRef dialect);
/// Whether a compile now learns what is in `looks`.
[[nodiscard]] bool holds(const FileLooks& looks, const MachineNow& now);
/// The first look that does not hold, or null.
[[nodiscard]] const FileLook* firstChange(const FileLooks& looks, const MachineNow& now);

}  // namespace lathe::detail
