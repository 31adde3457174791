// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parsing of Clang's arguments, once for each set of them.
#include "core/frontend/clang/invocation_cache.h"

#include <algorithm>

#include "clang/Basic/Diagnostic.h"
#include "clang/Frontend/CompilerInvocation.h"

namespace lathe::detail {

std::shared_ptr<const clang::CompilerInvocation> InvocationCache::find(
    const std::vector<std::string>& arguments) const {
  const std::scoped_lock lock(mutex_);
  const auto found = std::ranges::find(known_, arguments, &Known::arguments);
  return found == known_.end() ? nullptr : found->invocation;
}

void InvocationCache::add(const std::vector<std::string>& arguments, const clang::CompilerInvocation& invocation) {
  auto copy = std::make_shared<const clang::CompilerInvocation>(invocation);
  const std::scoped_lock lock(mutex_);
  if (known_.size() == most) known_.pop_front();
  known_.push_back({arguments, std::move(copy)});
}

std::shared_ptr<clang::CompilerInvocation> InvocationCache::make(const std::vector<std::string>& arguments,
                                                                 const std::string& mainFile,
                                                                 clang::DiagnosticsEngine& engine) {
  std::shared_ptr<clang::CompilerInvocation> out;
  if (const auto before = find(arguments)) {
    out = std::make_shared<clang::CompilerInvocation>(*before);
  } else {
    std::vector<const char*> raw;
    raw.reserve(arguments.size() + 1);
    for (const std::string& argument : arguments) raw.push_back(argument.c_str());
    raw.push_back("-");
    out = std::make_shared<clang::CompilerInvocation>();
    if (!clang::CompilerInvocation::CreateFromArgs(*out, raw, engine)) return nullptr;
    // What it warned about it has to say again.
    if (engine.getClient()->getNumWarnings() == 0) add(arguments, *out);
  }
  out->getCodeGenOpts().MainFileName = mainFile;
  auto& inputs = out->getFrontendOpts().Inputs;
  inputs = {clang::FrontendInputFile(mainFile, inputs.front().getKind())};
  return out;
}

}  // namespace lathe::detail
