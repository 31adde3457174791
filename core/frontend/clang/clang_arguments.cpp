// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How Clang is set up.
#include "core/frontend/clang/clang_arguments.h"

#include <algorithm>
#include <deque>
#include <mutex>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include "core/frontend/dialect.h"

namespace lathe::detail {

std::vector<std::string> fixedArguments(const Dialect& dialect, const std::string& languageStandard) {
  std::vector<std::string> out(dialect.clangArguments.begin(), dialect.clangArguments.end());
  // -O2 without passes: what optimisation will need (lifetimes, TBAA) is emitted, and nothing is optimised yet.
  // -fno-builtin: in some dialects Clang does not know a device function called sinf as the library's. Import knows the
  // names of mathematics itself, the same in every dialect, and Clang has fewer names to enter.
  // -fno-cxx-modules: a kernel's source is one text; with modules Clang enters thousands of builtins' names in every
  // compile, without them it takes them from the prelude as it meets them.
  // -complex-range=basic: products of std::complex as written out; else Clang calls a function of its run-time library.
  for (const char* argument : {"-O2", "-disable-llvm-passes", "-ffp-contract=fast", "-fgnuc-version=4.2.1",
                               "-nostdsysteminc", "-fno-threadsafe-statics", "-fno-builtin", "-fcheck-new",
                               "-fno-cxx-modules", "-complex-range=basic", "-fdeprecated-macro", "-ferror-limit", "100",
                               "-ftemplate-depth=512", "-Wno-pragma-once-outside-header", "-D__LATHE__=1"}) {
    out.emplace_back(argument);
  }
  out.push_back("-std=" + languageStandard);
  return out;
}

namespace {

/// Invocations by their arguments: making one asks for each of Clang's hundreds of options whether it is there, which
/// is a fifteenth of a small compile, and most compiles of a program have the same. Safe from any thread.
class KnownInvocations {
 public:
  std::shared_ptr<const clang::CompilerInvocation> find(const std::vector<std::string>& arguments) const {
    const std::scoped_lock lock(mutex_);
    const auto found = std::ranges::find(known_, arguments, &Known::arguments);
    return found == known_.end() ? nullptr : found->invocation;
  }
  void add(const std::vector<std::string>& arguments, const clang::CompilerInvocation& invocation) {
    auto copy = std::make_shared<const clang::CompilerInvocation>(invocation);
    const std::scoped_lock lock(mutex_);
    if (known_.size() == most) known_.pop_front();
    known_.push_back({arguments, std::move(copy)});
  }

 private:
  /// One per dialect and a few sets of include folders; each has some kilobytes.
  static constexpr std::size_t most = 8;
  struct Known {
    std::vector<std::string> arguments;
    std::shared_ptr<const clang::CompilerInvocation> invocation;
  };
  mutable std::mutex mutex_;
  std::deque<Known> known_;
};

}  // namespace

std::shared_ptr<clang::CompilerInvocation> makeInvocation(const std::vector<std::string>& arguments,
                                                          const std::string& mainFile,
                                                          clang::DiagnosticsEngine& engine) {
  static KnownInvocations known;
  std::shared_ptr<clang::CompilerInvocation> out;
  if (const auto before = known.find(arguments)) {
    out = std::make_shared<clang::CompilerInvocation>(*before);
  } else {
    std::vector<const char*> raw;
    raw.reserve(arguments.size() + 1);
    for (const std::string& argument : arguments) raw.push_back(argument.c_str());
    raw.push_back("-");
    out = std::make_shared<clang::CompilerInvocation>();
    if (!clang::CompilerInvocation::CreateFromArgs(*out, raw, engine)) return nullptr;
    // What it warned about it has to say again.
    if (engine.getClient()->getNumWarnings() == 0) known.add(arguments, *out);
  }
  out->getCodeGenOpts().MainFileName = mainFile;
  auto& inputs = out->getFrontendOpts().Inputs;
  inputs = {clang::FrontendInputFile(mainFile, inputs.front().getKind())};
  return out;
}

}  // namespace lathe::detail
