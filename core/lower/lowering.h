// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state of one compile from portable IR to an image. The stages that change it stand in core/lower/pipelines.h.
#pragma once

#include <functional>
#include <memory>
#include <span>
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

namespace lathe::detail {

struct AbiEntry;
class LibraryStore;

/// Function attributes of portable IR.
namespace attribute {
inline constexpr const char* kernel = "lathe.kernel";  ///< an entry point
inline constexpr const char* bySection = "section";    ///< its value where a loader finds the entry by its section
inline constexpr const char* maxItems = "lathe.max-items";
inline constexpr const char* minGroups = "lathe.min-groups";
inline constexpr const char* maxRegisters = "lathe.max-registers";
inline constexpr const char* groupSize = "lathe.group-size";
inline constexpr const char* clusterSize = "lathe.cluster-size";
inline constexpr const char* clusterAt = "lathe.cluster-at";  ///< "line,file" of that mark
inline constexpr const char* maxCluster = "lathe.max-cluster";
inline constexpr const char* countsClusters = "lathe.counts-clusters";  ///< grids are counted in clusters
inline constexpr const char* subgroups = "lathe.subgroups";  ///< a kernel whose items work together as subgroups
inline constexpr const char* exported = "lathe.export";      ///< an ordinary function that C code may call
inline constexpr const char* provided = "lathe.provided";    ///< a declaration that the loader resolves
/// Of a by-value parameter: the kernel does not write it, and may give its address away while the grid runs.
inline constexpr const char* gridConstant = "lathe.grid-constant";
// Attributes of global variables.
inline constexpr const char* constant = "lathe.constant";  ///< read-only on the device, set by the host
inline constexpr const char* global = "lathe.global";      ///< the host may reach it by name
}  // namespace attribute

/// Portable IR's address space of group-shared variables.
inline constexpr unsigned portableGroupSpace = 3;

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

  std::unique_ptr<llvm::Module> module;
  std::vector<NamedEntry> namedEntries;  ///< from the front end
  std::vector<std::string> kernelNames;  ///< what the source calls its kernels, templates among them
  MachinePool::Lease machine;            ///< from stage retarget on

  ImageInfo info;                     ///< filled in stage by stage
  ObjectInterface interface;          ///< functions for C code, of targets that have them
  std::vector<Image::CodeBlob> code;  ///< from stage emit on
  std::vector<Diagnostic> findings;   ///< errors collected for one report at stage validate
  std::vector<Diagnostic> warnings;
  /// Functions with errors of their own, of a compile that only looks for more.
  std::vector<LeftOut> leftOut = {};
  std::vector<std::string> linkedLibraries = {};  ///< from stage libraries on, in the order of linking
  /// The names of other targets that have an entry of the device ABI, for messages; may be empty.
  std::function<std::vector<std::string>(const AbiEntry& entry)> targetsWith = {};

  [[nodiscard]] TargetContext targetContext() { return {job, descriptor, arch, *module, *machine, findings}; }
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
