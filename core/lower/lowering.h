// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state of one compile from portable IR to an image. The stages that change it stand in core/lower/stages.h.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"

#include <lathe/image.h>
#include <lathe/job.h>
#include <lathe/sdk/target.h>

#include "core/descriptor/descriptor.h"
#include "core/frontend/frontend.h"
#include "core/image/interface.h"
#include "core/lower/machine_pool.h"
#include "core/portable/vocabulary.h"

namespace lathe::sdk {
struct Dialect;
}

namespace lathe::detail {

struct AbiEntry;
class LibraryStore;
class Workers;

/// All state of one compile from portable IR on. Nothing outside it changes.
struct Lowering {
  const Job& job;
  const Descriptor& descriptor;
  std::string arch;                    ///< resolved
  unsigned archOrdinal = 0;            ///< 90 for sm_90; 0 if the architecture has none
  EntryAbi entryAbi = EntryAbi::bare;  ///< resolved
  TargetHooks& hooks;
  std::span<const char> deviceLibrary;  ///< the target's device.cpp as bitcode; may be empty
  LibraryStore& libraries;
  MachinePool& machines;
  const Workers& workers;
  const sdk::Variables& variables;

  std::unique_ptr<llvm::Module> module;
  std::vector<NamedEntry> namedEntries;  ///< from the front end
  bool namesAll = true;                  ///< false: these are some of the kernels, and all are wanted
  std::vector<std::string> kernelNames;  ///< what the source calls its kernels, templates among them
  MachinePool::Lease machine;            ///< from stage retarget on

  ImageInfo info;                       ///< filled in stage by stage
  ObjectInterface interface;            ///< functions for C code, of targets that have them
  std::vector<Image::CodeBlob> code;    ///< from stage emit on
  std::vector<Diagnostic> diagnostics;  ///< errors collected for one report at stage validate
  std::vector<Diagnostic> warnings;
  /// Functions with errors of their own, of a compile that only looks for more.
  std::vector<ErroneousFunction> erroneousFunctions = {};
  std::vector<std::string> linkedLibraries = {};  ///< from stage libraries on, in the order of linking
  /// The names of other targets that have an entry of the device ABI, for messages; may be empty.
  std::function<std::vector<std::string>(const AbiEntry& entry)> targetsWith = {};
  std::stop_token stop = {};                           ///< the caller's
  std::span<const sdk::Dialect* const> dialects = {};  ///< those known, which translate their sources' inline assembly

  [[nodiscard]] TargetContext targetContext() {
    return {job, sdk::DescriptorView(descriptor), arch, *module, *machine, diagnostics, variables, stop};
  }
  /// The function of an entry.
  [[nodiscard]] llvm::Function& functionOf(const EntryPoint& entry) { return *module->getFunction(entry.symbol); }
};

/// Adds an error about a kernel as a whole, with where it stands.
Diagnostic& reportKernel(Lowering&, ErrorCode code, const llvm::Function& kernel, std::string message,
                         std::string hint);

/// Whether a kernel has the bound that a descriptor's bound_attributes and bound_features call `key`. It is false for
/// "max_cluster" where "cluster_size" says more: assemblers refuse both.
[[nodiscard]] bool hasBound(const EntryPoint&, std::string_view key);

}  // namespace lathe::detail
