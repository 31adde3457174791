// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device libraries: where they come from and which of them serve a compile.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>

#include "llvm/Support/MemoryBuffer.h"

namespace lathe::detail {

struct DeviceLibrary;
struct Lowering;
struct MathUse;

/// A library built into Lathe.
struct EmbeddedLibrary {
  std::string_view name;
  std::string_view bitcode;
};
/// All of them, from the generated list.
std::span<const EmbeddedLibrary> embeddedLibraries();

/// Library files, opened once for the life of a compiler. Thread-safe.
class LibraryStore {
 public:
  /// The library's bitcode, or null if none of its places has it.
  std::shared_ptr<const llvm::MemoryBuffer> find(const DeviceLibrary& library);

 private:
  std::shared_ptr<const llvm::MemoryBuffer> open(const std::string& path);

  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const llvm::MemoryBuffer>> files_;  // null: known to be missing
};

/// The library that serves mathematics: the first of the descriptor's that is present; null if there is none.
const DeviceLibrary* mathLibrary(Lowering& lowering);

/// How a library calls a math function.
std::string mathSymbol(const DeviceLibrary& library, const MathUse& use);

}  // namespace lathe::detail
