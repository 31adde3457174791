// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Help for hooks that make code: LLVM's code generator, and the vendor's assembler or linker as a child process.
#pragma once

#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "llvm/Support/Error.h"

#include <lathe/export.h>

namespace llvm {
class Module;
class TargetMachine;
}  // namespace llvm

namespace lathe::sdk {

class TargetHooks;

/// Emits `format`: "asm" and "object" by the target machine's code generator, which rewrites the module; "ir" and
/// "bitcode", also called "portable", need no machine. After `stop` was requested, what was generated is dropped.
/// `hooks`: whose passesLeftOut(), beforeSelection() and beforePrinting() take part.
/// Errors: FormatUnsupported (LLVM has no such emitter for the triple); Cancelled.
[[nodiscard]] LATHE_API llvm::Expected<std::string> emitModule(llvm::Module& module, llvm::TargetMachine* machine,
                                                               std::string_view format,
                                                               const std::stop_token& stop = {},
                                                               const TargetHooks* hooks = nullptr);

/// The path of a program on this machine: in `first`, then on $PATH, then in `last`; nothing: it is in none.
[[nodiscard]] LATHE_API std::optional<std::string> findTool(std::string_view name,
                                                            std::span<const std::string> first = {},
                                                            std::span<const std::string> last = {});

/// A file of its own name in the system's folder for temporary files, removed with the object. Move-only.
class LATHE_API TemporaryFile {
 public:
  /// An empty file whose name ends in ".`suffix`". Errors: FileUnwritable.
  [[nodiscard]] static llvm::Expected<TemporaryFile> create(std::string_view suffix);
  TemporaryFile(TemporaryFile&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  TemporaryFile& operator=(TemporaryFile&& other) noexcept {
    std::swap(path_, other.path_);
    return *this;
  }
  ~TemporaryFile();

  [[nodiscard]] const std::string& path() const { return path_; }
  /// Errors: FileUnwritable.
  [[nodiscard]] llvm::Error write(std::string_view bytes) const;
  /// Errors: FileUnreadable.
  [[nodiscard]] llvm::Expected<std::string> read() const;

 private:
  explicit TemporaryFile(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

/// A run of a program in a child process.
struct ToolCall {
  std::string program;                      ///< path
  std::vector<std::string> arguments = {};  ///< without the program's own name
  /// Texts, none of them empty, and the words that stand for them in messages: temporary files, which users have not
  /// seen. They are replaced in order.
  std::vector<std::pair<std::string, std::string>> renamed = {};
  std::stop_token stop = {};      ///< ends the process
  std::string* output = nullptr;  ///< gets what a program that ends well wrote to its standard output and error
};

/// Runs a program without input and waits for its end. Errors: ToolFailed if it does not start, is ended by a signal or
/// returns another code than 0, with what it wrote to its standard output and error and with `hint`; FileUnwritable;
/// Cancelled.
[[nodiscard]] LATHE_API llvm::Error runTool(const ToolCall& call, std::string hint = {});

}  // namespace lathe::sdk
