// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device libraries: files, embedded bitcode, and what is known of both.
#include "core/lower/device_libraries.h"

#include "llvm/Bitcode/BitcodeReader.h"

#include "core/descriptor/candidate_path.h"
#include "core/lower/library_excerpt.h"
#include "core/lower/lowering.h"
#include "core/support/digest.h"
#include "core/target/builtin.h"

namespace lathe::detail {
std::shared_ptr<const llvm::MemoryBuffer> LibraryStore::open(const std::string& path) {
  const std::lock_guard lock(mutex_);
  const auto [at, fresh] = files_.try_emplace(path);
  if (fresh) {
    // Read, not mapped: what is written to the file later changes neither its digest nor the code made of it.
    auto buffer =
        llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false, /*IsVolatile=*/true);
    if (buffer) at->second = std::move(*buffer);
  }
  return at->second;
}

llvm::Expected<std::unique_ptr<llvm::Module>> LibraryStore::excerptFor(llvm::function_ref<bool(llvm::StringRef)> wanted,
                                                                       llvm::MemoryBufferRef bitcode,
                                                                       llvm::LLVMContext& context) {
  std::shared_ptr<OpenLibrary> library;
  {
    const std::lock_guard lock(mutex_);
    std::shared_ptr<OpenLibrary>& open = open_[bitcode.getBufferStart()];
    if (!open) open = std::make_shared<OpenLibrary>(bitcode);
    library = open;
  }
  auto excerpt = library->excerpt(wanted);
  if (!excerpt) return excerpt.takeError();
  if (!*excerpt) return nullptr;
  return llvm::parseBitcodeFile({**excerpt, bitcode.getBufferIdentifier()}, context);
}

std::shared_ptr<const llvm::MemoryBuffer> LibraryStore::find(const DeviceLibrary& library) {
  const auto take = [&](const std::string& path, std::shared_ptr<const llvm::MemoryBuffer> buffer) {
    const std::lock_guard lock(mutex_);
    found_.try_emplace(library.name, path, buffer);
    return buffer;
  };
  if (replay_) {
    for (const InputLibrary& given : replay_->libraries) {
      if (given.name != library.name || given.path.empty()) continue;
      return take(given.path, llvm::MemoryBuffer::getMemBuffer(given.bytes, given.path, false));
    }
  } else if (auto [path, buffer] = onMachine(library); buffer) {
    return take(path, std::move(buffer));
  }
  for (const EmbeddedLibrary& embedded : embeddedLibraries()) {
    if (embedded.name != library.embedded) continue;
    return take(
        {}, llvm::MemoryBuffer::getMemBuffer({embedded.bitcode.data(), embedded.bitcode.size()}, library.name, false));
  }
  return nullptr;
}

std::pair<std::string, std::shared_ptr<const llvm::MemoryBuffer>> LibraryStore::onMachine(
    const DeviceLibrary& library) {
  for (const std::string& file : library.files) {
    std::string path = expandedPath(file, variables_);
    if (path.empty()) continue;
    if (auto buffer = open(path)) return {std::move(path), std::move(buffer)};
  }
  return {};
}

std::optional<std::pair<std::string, std::string>> LibraryStore::missingFile(const DeviceLibrary& library) {
  if (replay_) return std::nullopt;
  for (const std::string& file : library.files) {
    const std::string variable = variableOf(file);
    if (variable.empty() || file.find('/') != std::string::npos) continue;
    std::string path = expandedPath(file, variables_);
    if (!path.empty() && !open(path)) return std::pair(variable, std::move(path));
  }
  return std::nullopt;
}

std::string LibraryStore::fileOf(const DeviceLibrary& library) {
  return onMachine(library).first;
}

std::string LibraryStore::identityOf(const DeviceLibrary& library) {
  if (const auto buffer = onMachine(library).second) {
    const std::lock_guard lock(mutex_);
    const auto [at, fresh] = digests_.try_emplace(buffer.get());
    if (fresh) at->second = Digest().add({buffer->getBufferStart(), buffer->getBufferSize()}).hex();
    return at->second;
  }
  const bool isBuiltIn = llvm::any_of(
      embeddedLibraries(), [&](const EmbeddedLibrary& embedded) { return embedded.name == library.embedded; });
  // With what is said of it.
  const auto missing = missingFile(library);
  const std::string without = missing ? ", without " + missing->second : "";
  return (isBuiltIn ? "built in" : "absent") + without;
}

std::vector<InputLibrary> LibraryStore::found() {
  const std::lock_guard lock(mutex_);
  std::vector<InputLibrary> out;
  for (const auto& [name, place] : found_) {
    out.push_back({name, place.first, place.first.empty() ? std::string() : place.second->getBuffer().str()});
  }
  return out;
}

const DeviceLibrary* mathLibrary(Lowering& lowering) {
  for (const DeviceLibrary& library : lowering.descriptor.deviceLibraries) {
    if (!library.mathMangling.empty() && (library.providedByBackend || lowering.libraries.find(library)))
      return &library;
  }
  return nullptr;
}

}  // namespace lathe::detail
