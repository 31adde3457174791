// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Work-group lowering: kernels written for one item become functions that run a whole group, for targets whose hardware
// has no items. Continuation-based synchronisation after Meyer, Alpay, Heuveline et al., "Implementation Techniques for
// SPMD Kernels on CPUs" (IWOCL 2023): see README.md in this folder for the method and for IR before and after.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "llvm/Support/Error.h"

namespace llvm {
class Module;
class TargetMachine;
}  // namespace llvm

namespace lathe::detail {

struct WorkGroupOptions {
  /// Address space of group-shared variables in the input.
  unsigned groupSpace = 3;
  unsigned subgroupSize = 32;
};

/// What the runtime must provide for one lowered kernel.
struct WorkGroupResources {
  std::string symbol;
  std::uint64_t sharedBytes = 0;   ///< static group-shared memory
  std::uint64_t contextBytes = 0;  ///< per item; see lathe::abi::GroupLaunch::context
  bool dynamicShared = false;
};

/// Rewrites every function of `module` that carries the attribute "lathe.kernel" from `void k(parameters…)` to a
/// lathe::abi::GroupEntry of the same name, `void k(ptr parameters, ptr launch)`, and removes group-shared variables.
/// The module must verify, be retargeted already, and use the device ABI only for the indexing entries and the barrier;
/// functions that reach a barrier are inlined. A launch must keep to what README.md says it guarantees. Errors are user
/// errors, with a source line: recursion through a barrier or a call of it through a pointer, local arrays of variable
/// size. After an error the module is not to be used.
llvm::Expected<std::vector<WorkGroupResources>> lowerWorkGroups(llvm::Module& module, llvm::TargetMachine& machine,
                                                                const WorkGroupOptions& options);

}  // namespace lathe::detail
