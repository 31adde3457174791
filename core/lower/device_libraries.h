// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device libraries: where they come from and which of them serve a compile.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"

#include <lathe/compiler.h>

#include <lathe/sdk/variables.h>

namespace lathe::detail {

struct DeviceLibrary;
struct Lowering;
class OpenLibrary;

/// Library files, opened once for the life of a compiler. Thread-safe.
class LibraryStore {
 public:
  /// With `replay`, a record's libraries take the place of the machine's files.
  explicit LibraryStore(sdk::Variables variables, const CompileRecord* replay = nullptr)
      : variables_(std::move(variables)), replay_(replay) {}
  /// The library's bitcode, or null if none of its places has it.
  std::shared_ptr<const llvm::MemoryBuffer> find(const DeviceLibrary& library);
  /// What tells apart the contents that find() can give: "built in", "absent", both with the file that a variable
  /// names and that is not there, or a digest. Worked out once for a file.
  std::string identityOf(const DeviceLibrary& library);
  /// The path of the file that find() takes; empty: none.
  std::string fileOf(const DeviceLibrary& library);
  /// A variable that names a file of the library by itself, and the file, where that cannot be read; else nothing.
  std::optional<std::pair<std::string, std::string>> missingFile(const DeviceLibrary& library);
  /// What find() gave until now, by name.
  std::vector<InputLibrary> found();

  /// Of a library of bitcode the functions that `wanted` accepts, and what they use. Null if it defines none of them.
  /// `bitcode` outlives the store. The library stays open: opening a large one costs as much as a small compile.
  llvm::Expected<std::unique_ptr<llvm::Module>> excerptFor(llvm::function_ref<bool(llvm::StringRef)> wanted,
                                                           llvm::MemoryBufferRef bitcode, llvm::LLVMContext& context);

 private:
  std::shared_ptr<const llvm::MemoryBuffer> open(const std::string& path);
  /// The first of the library's files that is there, and its path; null: none is.
  std::pair<std::string, std::shared_ptr<const llvm::MemoryBuffer>> onMachine(const DeviceLibrary& library);

  std::mutex mutex_;
  const sdk::Variables variables_;
  const CompileRecord* replay_;
  std::map<std::string, std::shared_ptr<const llvm::MemoryBuffer>> files_;  // null: known to be missing
  std::map<std::string, std::pair<std::string, std::shared_ptr<const llvm::MemoryBuffer>>>
      found_;  // name → path, bytes
  std::map<const llvm::MemoryBuffer*, std::string> digests_;
  std::map<const char*, std::shared_ptr<OpenLibrary>> open_;  ///< by where the bitcode begins
};

/// The library that serves mathematics: the first of the descriptor's that is present; null if there is none.
const DeviceLibrary* mathLibrary(Lowering& lowering);

}  // namespace lathe::detail
