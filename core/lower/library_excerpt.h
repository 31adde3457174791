// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Excerpts of device libraries: the few functions that a compile wants, as bitcode of their own.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

namespace lathe::detail {

/// A library of bitcode that stays open, for all compiles. Opening one costs time in proportion to all that it
/// declares; an excerpt has what one compile needs, and is the same whatever was taken before. Thread-safe.
class OpenLibrary {
 public:
  /// `bitcode` outlives the object.
  explicit OpenLibrary(llvm::MemoryBufferRef bitcode) : bitcode_(bitcode) {}

  /// Bitcode of the functions that `wanted` accepts and of what they use, without the library's named metadata. Null if
  /// the library defines none of them. Errors: those of LLVM's reader.
  [[nodiscard]] llvm::Expected<std::shared_ptr<const std::string>> excerpt(
      llvm::function_ref<bool(llvm::StringRef)> wanted);

 private:
  std::mutex mutex_;
  const llvm::MemoryBufferRef bitcode_;
  llvm::LLVMContext context_;
  std::unique_ptr<llvm::Module> module_;                            ///< read lazily; null: not opened yet
  std::map<std::string, std::shared_ptr<const std::string>> made_;  ///< by the functions' names
};

}  // namespace lathe::detail
