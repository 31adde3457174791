// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The attributes by which a source tunes a kernel for AMD's GPUs (Clang's AttributeReference, "AMD GPU Attributes").
#pragma once

namespace clang {
class FunctionDecl;
}
namespace llvm {
class Function;
}

namespace lathe::dialects {

/// Carries the attributes of `declaration`, which Clang emits for AMD's triple only, to `kernel` as marks that the
/// target reads: amdgpu_waves_per_eu(2, 4) becomes "lathe.amdgpu-waves-per-eu"="2,4". Other targets ignore them.
void markTuning(const clang::FunctionDecl& declaration, llvm::Function& kernel);

}  // namespace lathe::dialects
