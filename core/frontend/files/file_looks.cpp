// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Making looks, and repeating them.
#include "core/frontend/files/file_looks.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"

#include "core/support/digest.h"
#include "core/support/file.h"
#include "core/support/own_headers.h"
#include "core/support/unique_descriptor.h"

namespace lathe::detail {
namespace {

std::string digestOf(llvm::StringRef text) {
  return detail::digestOf(std::string_view(text.data(), text.size()));
}

/// Before a dialect's name, in the path of its toolkit's look: no path of a file begins so.
constexpr llvm::StringRef toolkitMark = "\ntoolkit of ";
/// Likewise before the position of an entry of the prefix map.
constexpr llvm::StringRef namedMark = "\nprefix ";

std::string namedPath(std::size_t entry) {
  return namedMark.str() + std::to_string(entry);
}

/// Whether the looks say where the folder of that entry of a map is.
bool isBoundTo(const FileLooks& looks, std::size_t entry) {
  return llvm::any_of(looks.looks, [path = namedPath(entry)](const FileLook& look) { return look.path == path; });
}

/// `path` without "./" at its beginning, and without the slashes that may follow: the rest stays relative.
llvm::StringRef withoutDots(llvm::StringRef path) {
  while (path.starts_with("./")) {
    const llvm::StringRef rest = path.drop_front(2).ltrim('/');
    if (rest.empty()) break;
    path = rest;
  }
  return path;
}

bool isOfFile(LookKind kind) {
  return kind == LookKind::present || kind == LookKind::read;
}

/// The entries of a map whose folders a text names: where they are may decide what the text means.
llvm::SmallVector<std::size_t, 1> namedIn(llvm::StringRef text, const PathMap& map) {
  llvm::SmallVector<std::size_t, 1> out;
  for (std::size_t i = 0; i < map.size(); ++i) {
    if (text.contains(map.folder(i))) out.push_back(i);
  }
  return out;
}

/// A regular file as it is now.
struct ReadFile {
  llvm::sys::fs::UniqueID id;
  std::string digest;
  llvm::SmallVector<std::size_t, 1> named;  ///< namedIn() its text
};

/// Reads a file of `files`, which are machineFiles(). Nothing: there is none. Those of the disk are read with the
/// fewest calls of the system: whoever is served from memory waits for little else.
std::optional<ReadFile> readNow(llvm::vfs::FileSystem& files, const std::string& path, const PathMap& map) {
  const auto made = [&](const llvm::sys::fs::UniqueID& id, llvm::StringRef text) {
    return ReadFile{id, digestOf(text), namedIn(text, map)};
  };
  if (llvm::StringRef(path).starts_with(resolverFolder)) {
    const auto facts = files.status(path);
    if (!facts || !facts->isRegularFile()) return std::nullopt;
    const auto text = files.getBufferForFile(path);
    return text ? std::optional(made(facts->getUniqueID(), (*text)->getBuffer())) : std::nullopt;
  }
  const UniqueDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
  struct stat facts{};
  if (!file.ok() || ::fstat(file.get(), &facts) != 0 || !S_ISREG(facts.st_mode)) return std::nullopt;
  const auto text = contentsOf(file.get(), static_cast<std::size_t>(facts.st_size));
  if (!text) return std::nullopt;  // it was cut meanwhile
  return made(llvm::sys::fs::UniqueID(facts.st_dev, facts.st_ino), *text);
}

}  // namespace

FileLook* FileLog::at(llvm::StringRef path, LookKind kind) {
  path = withoutDots(path);
  const auto [found, fresh] = indices_.try_emplace(path, static_cast<std::uint32_t>(looks_.looks.size()));
  if (fresh) {
    looks_.looks.push_back({.path = path.str(), .kind = kind, .digest = {}, .sameAs = found->second});
    return &looks_.looks.back();
  }
  FileLook& look = looks_.looks[found->second];
  if (look.kind == kind || (isOfFile(look.kind) && isOfFile(kind))) return &look;
  looks_.repeatable = false;  // it came or went
  return nullptr;
}

void FileLog::identify(FileLook& look, const llvm::vfs::Status& facts) {
  const std::uint32_t index = indices_[look.path];
  look.sameAs = files_.try_emplace(facts.getUniqueID(), index).first->second;
}

void FileLog::adopt(const FileLooks& looks) {
  looks_ = looks;
  for (std::uint32_t index = 0; index < looks_.looks.size(); ++index)
    indices_.try_emplace(looks_.looks[index].path, index);
}

void FileLog::add(const FileLooks& looks) {
  std::vector<std::uint32_t> places;  // in this log, of the others'
  for (const FileLook& look : looks.looks) {
    const std::size_t known = looks_.looks.size();
    FileLook* const mine = at(look.path, look.kind);
    places.push_back(indices_[look.path]);
    if (mine && (look.kind == LookKind::toolkit || look.kind == LookKind::named)) mine->digest = look.digest;
    if (!mine || !isOfFile(look.kind)) continue;
    const bool isNew = looks_.looks.size() > known;
    if (isNew && look.sameAs < places.size()) mine->sameAs = places[look.sameAs];
    if (look.kind != LookKind::read) {
      if (!isNew && mine->kind == LookKind::present && mine->size != look.size) looks_.repeatable = false;
      if (isNew) mine->size = look.size;
      continue;
    }
    if (!mine->digest.empty() && mine->digest != look.digest) looks_.repeatable = false;
    mine->kind = LookKind::read;
    mine->size = 0;
    mine->digest = look.digest;
  }
  looks_.repeatable = looks_.repeatable && looks.repeatable;
  looks_.searched = looks_.searched || looks.searched;
}

void FileLog::toolkit(llvm::StringRef dialect, const std::string& folder) {
  if (FileLook* const look = at(toolkitMark.str() + dialect.str(), LookKind::toolkit)) look->digest = folder;
}

void FileLog::name(std::size_t entry) {
  if (FileLook* const look = at(namedPath(entry), LookKind::named)) look->digest = map_.folder(entry);
}

void bindTo(FileLooks& looks, const PathMap& map, std::size_t entry) {
  looks.searched = true;  // or nothing would be compared
  if (isBoundTo(looks, entry)) return;
  const auto index = static_cast<std::uint32_t>(looks.looks.size());
  looks.looks.push_back(
      {.path = namedPath(entry), .kind = LookKind::named, .digest = map.folder(entry), .sameAs = index});
}

bool isAbsence(std::error_code why) {
  return why == std::errc::no_such_file_or_directory || why == std::errc::not_a_directory;
}

void FileLog::failed(llvm::StringRef path, std::error_code why) {
  if (isAbsence(why))
    (void)at(path, LookKind::absent);
  else
    looks_.repeatable = false;
}

void FileLog::present(llvm::StringRef path, const llvm::vfs::Status& facts) {
  const std::size_t known = looks_.looks.size();
  FileLook* const look = at(path, LookKind::present);
  if (!look || look->kind == LookKind::read) return;
  identify(*look, facts);
  if (looks_.looks.size() == known && look->size != facts.getSize()) looks_.repeatable = false;
  look->size = facts.getSize();
}

void FileLog::read(llvm::StringRef path, const llvm::vfs::Status& facts, llvm::StringRef text) {
  FileLook* const look = at(path, LookKind::read);
  if (!look) return;
  std::string digest = digestOf(text);
  if (look->digest.empty()) {
    identify(*look, facts);
    if (look->kind == LookKind::present && look->size != text.size()) looks_.repeatable = false;
    look->kind = LookKind::read;
    look->size = 0;
    look->digest = std::move(digest);  // before others are added, which move it
    if (text.contains("__TIMESTAMP__")) looks_.repeatable = false;
    for (const std::size_t entry : namedIn(text, map_)) name(entry);
  } else if (look->digest != digest) {
    looks_.repeatable = false;
  }
}

FileLooks shared(FileLooks looks, const PathMap& map) {
  if (map.empty()) return looks;
  for (FileLook& look : looks.looks) look.path = map.shared(look.path);
  return looks;
}

std::vector<std::string> filesIn(const FileLooks& looks, const PathMap& map) {
  std::vector<std::string> out;
  for (const FileLook& look : looks.looks) {
    if (isOfFile(look.kind)) out.push_back(map.local(look.path).value_or(look.path));
  }
  return out;
}

const FileLook* toolkitIn(const FileLooks& looks, llvm::StringRef dialect) {
  const auto found = llvm::find_if(looks.looks, [&](const FileLook& look) {
    llvm::StringRef path = look.path;
    return look.kind == LookKind::toolkit && path.consume_front(toolkitMark) && path == dialect;
  });
  return found == looks.looks.end() ? nullptr : &*found;
}

namespace {

/// Compares looks at files with the machine.
class FilesNow {
 public:
  FilesNow(const FileLooks& looks, const MachineNow& now) : looks_(looks), now_(now) {}
  /// Whether a look at `path`, of a file, is the same now; `index` is its place among the looks.
  bool isSame(const FileLook& look, const std::string& path, std::uint32_t index) {
    llvm::sys::fs::UniqueID id;
    if (look.kind == LookKind::read) {
      const auto file = readNow(*now_.files, path, now_.map);
      if (!file || file->digest != look.digest) return false;
      // A text that names a folder which is mapped here was read where another was: it may say something else here.
      if (!llvm::all_of(file->named, [&](std::size_t entry) { return isBoundTo(looks_, entry); })) return false;
      id = file->id;
    } else {
      const auto facts = now_.files->status(path);
      if (!facts || !facts->isRegularFile() || facts->getSize() != look.size) return false;
      id = facts->getUniqueID();
    }
    return known_.try_emplace(id, index).first->second == look.sameAs;
  }

 private:
  const FileLooks& looks_;
  const MachineNow& now_;
  std::map<llvm::sys::fs::UniqueID, std::uint32_t> known_;  ///< the first look at each file
};

}  // namespace

const FileLook* firstChange(const FileLooks& looks, const MachineNow& now) {
  if (!looks.searched) return nullptr;
  llvm::vfs::FileSystem& files = *now.files;
  FilesNow filesNow(looks, now);
  std::string local;
  const auto holds = [&](const FileLook& look, std::uint32_t index) {
    const llvm::StringRef entry = look.path;
    if (look.kind == LookKind::toolkit) return now.toolkitOf(entry.drop_front(toolkitMark.size())) == look.digest;
    if (look.kind == LookKind::named) {
      std::size_t i = 0;
      return !entry.drop_front(namedMark.size()).getAsInteger(10, i) && i < now.map.size() &&
             now.map.folder(i) == look.digest;
    }
    const std::string* path = &look.path;
    if (!now.map.empty()) {
      auto found = now.map.local(look.path);
      if (!found) return false;
      local = *std::move(found);
      path = &local;
    }
    if (isOfFile(look.kind)) return filesNow.isSame(look, *path, index);
    if (look.kind == LookKind::here) {
      const auto folder = files.getCurrentWorkingDirectory();
      return folder && *folder + "/" == *path;
    }
    const auto facts = files.status(*path);
    if (!facts) return isAbsence(facts.getError());
    return look.kind == LookKind::folder && facts->isDirectory();
  };
  for (std::uint32_t index = 0; index < looks.looks.size(); ++index) {
    if (!holds(looks.looks[index], index)) return &looks.looks[index];
  }
  return nullptr;
}

bool holds(const FileLooks& looks, const MachineNow& now) {
  return firstChange(looks, now) == nullptr;
}

}  // namespace lathe::detail
