// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Precompiled preludes: a dialect's headers as Clang's serialised AST, made when Lathe is built and embedded, or on the
// machine that wants them. A prelude only saves time: whenever it does not fit, the same headers are read as text.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "llvm/Support/VirtualFileSystem.h"

#include <lathe/job.h>
#include <lathe/sdk/dialect.h>

namespace lathe::detail {

/// The language standard that a dialect's preludes are built for.
[[nodiscard]] std::string preludeStandard(const Dialect& dialect);

/// What a prelude holds: the dialect's own header, or its library too.
enum class PreludeScope { own, library };
[[nodiscard]] std::string preludeName(const Dialect& dialect, PreludeScope scope);

/// Whether a macro of that name could change what headers of Lathe or of the C++ library mean: reserved names, Lathe's
/// own, and those of the C library. Others are the program's.
[[nodiscard]] bool mayTouchPrelude(std::string_view name);
/// Whether it does change the preludes of the dialect. That of NDEBUG is mended behind them (assertsAgain()).
[[nodiscard]] bool touchesPrelude(std::string_view name, const Dialect& dialect);
/// Whether <assert.h> is to be read again behind the prelude, as the job says something of NDEBUG.
[[nodiscard]] bool assertsAgain(const Options& options);
/// The name that a definition ("NAME", "NAME=VALUE", "NAME(X)=VALUE") defines.
[[nodiscard]] std::string_view definedName(std::string_view definition);

/// Where preludes come from that are not built in. Thread-safe.
class PreludeSource {
 public:
  virtual ~PreludeSource() = default;
  /// The prelude; null: there is none, and the headers are to be read as text.
  virtual std::shared_ptr<const std::string> find(const Dialect& dialect, PreludeScope scope) = 0;
};

/// The preludes that a job can be compiled with.
struct PreludeChoice {
  /// To be tried in this order; none: the headers are read as text. A library's brings names that the source has not
  /// asked for: if it does not compile with them, it may without.
  std::vector<PreludeScope> scopes;
  std::string reason;  ///< for people
};
/// `triple` and `processor` are the target's own, which the sources of a dialect for one machine are compiled for.
/// Headers that the source includes are looked through in `files` for those of the dialect's library.
PreludeChoice choosePrelude(const Job& job, const Dialect& dialect, std::string_view triple, std::string_view processor,
                            llvm::vfs::FileSystem& files);

}  // namespace lathe::detail
