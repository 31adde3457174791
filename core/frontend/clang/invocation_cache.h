// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang's invocations, kept by their arguments: making one asks for each of Clang's hundreds of options whether it is
// there, which is a fifteenth of a small compile, and most compiles of a program have the same.
#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace clang {
class CompilerInvocation;
class DiagnosticsEngine;
}  // namespace clang

namespace lathe::detail {

/// The invocations of one Compiler. Safe from any thread.
class InvocationCache {
 public:
  /// An invocation for `mainFile` from cc1 arguments that do not name it; null if Clang refuses one (the engine has
  /// said why). The caller may change it.
  std::shared_ptr<clang::CompilerInvocation> make(const std::vector<std::string>& arguments,
                                                  const std::string& mainFile, clang::DiagnosticsEngine& engine);

 private:
  /// One per dialect and a few sets of include folders; each has some kilobytes.
  static constexpr std::size_t most = 8;
  struct Known {
    std::vector<std::string> arguments;
    std::shared_ptr<const clang::CompilerInvocation> invocation;
  };

  std::shared_ptr<const clang::CompilerInvocation> find(const std::vector<std::string>& arguments) const;
  void add(const std::vector<std::string>& arguments, const clang::CompilerInvocation& invocation);

  mutable std::mutex mutex_;
  std::deque<Known> known_;
};

}  // namespace lathe::detail
