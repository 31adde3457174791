// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace llvm {
class Module;
}

namespace lathe::targets {

/// Read-modify-write atomics whose order or scope LLVM 22 does not emit become PTX instructions that name both.
/// `architecture` is the number of sm_NN.
void keepOrderAndScope(llvm::Module& module, unsigned architecture);

}  // namespace lathe::targets
