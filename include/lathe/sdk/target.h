// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For authors of targets: the steps of a compile that data cannot describe. Most targets need none of this; every hook
// has a default that does nothing. LLVM types appear here, so a target is built against the LLVM that Lathe uses.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "llvm/Support/Error.h"

#include <lathe/export.h>
#include <lathe/image.h>
#include <lathe/job.h>
#include <lathe/result.h>
#include <lathe/sdk/descriptor_view.h>
#include <lathe/sdk/variables.h>

namespace llvm {
class CallBase;
class Function;
class MachineFunction;
class Module;
class TargetMachine;
}  // namespace llvm

namespace lathe::sdk {

/// One compile as a hook sees it. The references are valid during the call only: a stage may replace the module, and
/// `machine` may be one that an earlier compile used.
struct TargetContext {
  const Job& job;             ///< as the caller gave it, or with debugInfo set: see TargetHooks
  DescriptorView descriptor;  ///< resolved for `arch`
  std::string_view arch;      ///< resolved: never empty or "native"
  llvm::Module& module;
  llvm::TargetMachine& machine;
  /// Findings: errors end the compile, all together, at the end of stage validate, or of stage emit where they come
  /// later; warnings of stage validate are reported beside the image.
  std::vector<Diagnostic>& diagnostics;
  const Variables& variables;  ///< of the environment, for looking for programs and libraries of others
  /// Requested when the caller does not want the result any more: work that takes long may end with code Cancelled.
  std::stop_token stop = {};
};

/// The hooks of a target, each named after the moment when it runs, in their order (docs/architecture.md lists the
/// stages). For each pass
/// over a source Lathe makes an object, calls it from one thread and deletes it, so members can keep what one hook
/// finds out for a later one. Objects of other compiles may run at the same time in other threads. A compile that found
/// an error may pass over its source again, with debug information or without the functions that have errors, and then
/// has a second object. With Job::emit "portable" no hook runs. A hook fails by returning makeError(); the compile ends
/// with that error.
class TargetHooks {
 public:
  virtual ~TargetHooks() = default;

  /// Last in stage retarget: the module has the target's triple, data layout and address spaces; the device ABI's calls
  /// are still calls of `__lathe_*`.
  virtual llvm::Error afterRetarget(TargetContext&) { return llvm::Error::success(); }
  /// Stage after_kernel_abi: device code and libraries are linked, parameters and calling conventions are the target's.
  /// Nothing is optimised yet, but for the branches that stage specialise decided.
  virtual llvm::Error afterKernelAbi(TargetContext&) { return llvm::Error::success(); }
  /// In stage optimise, for calls of the machine's own functions: whether all items of a subgroup make this call
  /// together, or the kernel has no meaning (a shuffle whose mask names every item). A loop with one in each iteration
  /// ends for all of them at once, and may be unrolled as such.
  virtual bool joinsSubgroup(const llvm::CallBase&) const { return false; }
  /// Last in stage late: the last change of the IR before stage validate.
  virtual llvm::Error afterLate(TargetContext&) { return llvm::Error::success(); }
  /// In stage validate: append diagnostics to context.diagnostics.
  virtual llvm::Error validate(TargetContext&) { return llvm::Error::success(); }
  /// In stage emit, once for each format of the image: emits `format` where LLVM's own emission of it is not what the
  /// target wants; nothing: use LLVM's. The module is this format's own and may be rewritten,
  /// as LLVM's code generation does.
  virtual llvm::Expected<std::optional<std::string>> emit(TargetContext&, std::string_view /*format*/) {
    return std::nullopt;
  }
  /// Passes of LLVM's code generator that the target's code is better without, as LLVM names them: "machine-sink".
  virtual std::span<const std::string_view> passesLeftOut() const { return {}; }
  /// In LLVM's code generator, behind its last pass on IR (CodeGenPrepare; not at -O 0), for each function: true if it
  /// changed the function, of which it must leave the blocks and branches as they are.
  virtual bool beforeSelection(llvm::Function&) const { return false; }
  /// In LLVM's code generator, for each function: the last step in front of its printing as assembly or an object; true
  /// if it changed the function.
  virtual bool beforePrinting(llvm::MachineFunction&) const { return false; }
  /// After emit(), once for each format: reads what only the finished code tells (registers, spills) into the entries.
  /// For a linked format `code` is the object before stage link. Code generation may have rewritten the module.
  virtual llvm::Error describe(TargetContext&, std::string_view /*format*/, std::string_view /*code*/,
                               std::vector<EntryPoint>&) {
    return llvm::Error::success();
  }
  /// Without a compile: the machine code of a code that a driver or a program of others makes machine code of, by such
  /// a program, as the code's image asks for it (`optLevel`); nothing: it is machine code, or there is no such program.
  /// Errors: ToolMissing, ToolFailed.
  virtual llvm::Expected<std::optional<std::string>> machineCode(const Code&, const ImageInfo&,
                                                                 const Variables&) const {
    return std::nullopt;
  }
  /// Without a compile: a code of an image of this target's as text, where programs of others make it; nothing: LLVM's
  /// disassembler may. Errors: ToolMissing, ToolFailed.
  virtual llvm::Expected<std::optional<std::string>> disassemble(const Code&, const ImageInfo&,
                                                                 const Variables&) const {
    return std::nullopt;
  }
  /// Without a compile: the paths of all programs and libraries of others that emit() would use for `format` as this
  /// machine is now, and whose versions so decide the code's bytes. A cache takes them into its keys.
  virtual std::vector<std::string> toolsOf(std::string_view /*format*/, const Variables&) const { return {}; }
};

/// Wraps a Lathe error for return through llvm::Error. The compile fails with it as it is; an empty `stage` and
/// `target` are filled in.
[[nodiscard]] LATHE_API llvm::Error makeError(Error error);

}  // namespace lathe::sdk

namespace lathe::detail {
using sdk::TargetContext;
using sdk::TargetHooks;
}  // namespace lathe::detail

/// Defines the function that makes a target's hooks, for the registration that lathe_add_target() of CMake writes:
/// LATHE_TARGET_HOOKS(mine, MineHooks) at namespace scope, once. `id` is the target's name with `_` for what is no
/// letter or digit.
#define LATHE_TARGET_HOOKS(id, HooksClass)                            \
  extern "C" ::lathe::sdk::TargetHooks* lathe_target_##id##_hooks();  \
  extern "C" ::lathe::sdk::TargetHooks* lathe_target_##id##_hooks() { \
    return new HooksClass;                                            \
  }
