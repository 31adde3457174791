// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device code for several data models. Compiled code has sizes of pointers and the order of bytes in it, so what was
// compiled for one machine is not another's under a new name.
#include "core/target/device_library.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Object/Archive.h"
#include "llvm/TargetParser/Triple.h"

namespace lathe::detail {
namespace {

bool haveOneModel(const llvm::Triple& a, const llvm::Triple& b) {
  return a.getArchPointerBitWidth() == b.getArchPointerBitWidth() && a.isLittleEndian() == b.isLittleEndian();
}

}  // namespace

std::span<const char> deviceLibraryFor(std::span<const char> library, const std::string& triple) {
  const llvm::StringRef bytes(library.data(), library.size());
  if (!bytes.starts_with(llvm::object::ArchiveMagic)) return library;
  llvm::Error error = llvm::Error::success();
  const llvm::object::Archive archive({bytes, "device"}, error);
  if (error) {
    llvm::consumeError(std::move(error));
    return {};
  }
  const llvm::Triple wanted(llvm::Triple::normalize(triple));
  std::span<const char> found;
  for (const llvm::object::Archive::Child& child : archive.children(error)) {
    auto member = child.getMemoryBufferRef();
    if (!member) {
      llvm::consumeError(member.takeError());
      continue;
    }
    auto own = llvm::getBitcodeTargetTriple(*member);
    if (!own) {
      llvm::consumeError(own.takeError());
      continue;
    }
    if (!haveOneModel(llvm::Triple(*own), wanted)) continue;
    found = {member->getBufferStart(), member->getBufferSize()};
    break;
  }
  llvm::consumeError(std::move(error));
  return found;
}

}  // namespace lathe::detail
