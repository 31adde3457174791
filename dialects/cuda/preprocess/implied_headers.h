// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Headers of the C++ library that a toolkit's own headers bring along. Sources count on them without asking for them:
// std::unique_ptr behind hip_runtime.h. Lathe's headers bring them only where a source is found to need some, because
// they take longer to read than most sources do: it is read again, with a macro that these headers look at.
#pragma once

#include "clang/Basic/Diagnostic.h"

namespace clang {
class CompilerInstance;
}

namespace lathe::dialects {

class ImpliedHeaders final {
 public:
  /// \p macro: null if the dialect's headers bring all that the toolkit's do.
  explicit ImpliedHeaders(const char* macro, bool areRead) : macro_(macro), areRead_(areRead) {}

  /// Called when Clang is set up and before it reads the source.
  void begin(clang::CompilerInstance& compiler) const;
  /// Called for each error, while Clang is where it happened.
  void see(const clang::Diagnostic& info);
  /// True once a name was missing that such headers may have: another reading is worth its time.
  [[nodiscard]] bool someMissing() const { return isMissing_; }
  /// Whether the next reading has the headers.
  [[nodiscard]] bool areWanted() const { return areRead_ || isMissing_; }

 private:
  const char* macro_;
  bool areRead_;
  bool isMissing_ = false;
};

}  // namespace lathe::dialects
