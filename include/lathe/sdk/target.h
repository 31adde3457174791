// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For authors of targets: the steps of a compile that data cannot describe. Most targets need none of this; every hook
// has a default that does nothing. LLVM types appear here, so a target is built against the LLVM that Lathe uses.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "llvm/Support/Error.h"

#include <lathe/image.h>
#include <lathe/job.h>
#include <lathe/result.h>

namespace llvm {
class Module;
class PassBuilder;
class TargetMachine;
}  // namespace llvm

namespace lathe::detail {
struct Descriptor;
}

namespace lathe::sdk {

/// One compile as a hook sees it. References stay valid for the duration of the call.
struct TargetContext {
  const Job& job;
  const detail::Descriptor& descriptor;
  std::string_view arch;  ///< resolved: never empty or "native"
  llvm::Module& module;
  llvm::TargetMachine& machine;
  /// Findings that end the compile after validation, all together.
  std::vector<Diagnostic>& diagnostics;
};

/// The hooks, named by when they run. One object serves all compiles of a target at once: keep no state in it.
/// A failed hook returns lathe::detail errors through llvm::Error; see makeError().
class TargetHooks {
 public:
  virtual ~TargetHooks() = default;

  /// Before stage retarget: the module is portable IR.
  virtual llvm::Error prepare(TargetContext&) { return llvm::Error::success(); }
  /// After stage kernel_abi, before any optimisation.
  virtual llvm::Error finishModule(TargetContext&) { return llvm::Error::success(); }
  /// After the descriptor's libraries were linked.
  virtual llvm::Error linkLibraries(TargetContext&) { return llvm::Error::success(); }
  /// Adds passes to the pipelines of stages simplify and optimise.
  virtual void optimiseEarly(llvm::PassBuilder&) {}
  virtual void optimiseLate(llvm::PassBuilder&) {}
  /// After stage late: the last change of the IR.
  virtual llvm::Error finishIr(TargetContext&) { return llvm::Error::success(); }
  /// In stage validate: append findings to context.diagnostics.
  virtual llvm::Error validate(TargetContext&) { return llvm::Error::success(); }
  /// Emits `format` where LLVM's own emission of it is not what the target wants; nothing: use LLVM's.
  virtual llvm::Expected<std::optional<std::string>> emit(TargetContext&, std::string_view /*format*/) {
    return std::nullopt;
  }
  /// Reads what only the finished code tells (registers, spills) into the entries.
  virtual llvm::Error describe(TargetContext&, std::string_view /*format*/, std::string_view /*code*/,
                               std::vector<EntryPoint>&) {
    return llvm::Error::success();
  }
};

/// Wraps a Lathe error for return through llvm::Error.
[[nodiscard]] llvm::Error makeError(Error error);

}  // namespace lathe::sdk

namespace lathe::detail {
using sdk::TargetContext;
using sdk::TargetHooks;
}  // namespace lathe::detail
