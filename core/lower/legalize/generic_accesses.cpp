// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses through generic pointers become accesses of the memory that the pointers come from. Optimising does it, but
// for two kinds: those of code that is not optimised, and volatile ones.
#include <vector>

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/InferAddressSpaces.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/LowerSwitch.h"

#include "core/lower/legalize/legalize.h"
#include "core/lower/passes/passes.h"

namespace lathe::detail {
namespace {

/// Where nothing was optimised, pointers come from variables on the stack, which tell nothing of spaces.
void simplifyPointers(Lowering& lowering) {
  Pipeline pipeline(lowering, /*vectorise=*/false);
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
  passes.addPass(llvm::InferAddressSpacesPass());
  // SROA leaves structures as values, on whose parts back ends crash: InstCombine takes them apart. It makes switches
  // on an i1, which formats lack: SimplifyCFG makes most of them branches, LowerSwitch the rest.
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::LowerSwitchPass());
  pipeline.run(std::move(passes));
}

/// LLVM's inference. It leaves volatile accesses alone where a machine may lack them in a space; targets that ask for
/// named memory have them everywhere, so the accesses are plain while it runs.
///
///   before: %q = addrspacecast ptr addrspace(1) %p to ptr addrspace(4)    store volatile float %x, ptr addrspace(4) %q
///   after:  store volatile float %x, ptr addrspace(1) %p
void inferSpaces(Lowering& lowering) {
  const unsigned generic = lowering.descriptor.addressSpaces.generic;
  std::vector<llvm::Instruction*> accesses;
  const auto setVolatile = [](llvm::Instruction* access, bool isVolatile) {
    if (auto* const load = llvm::dyn_cast<llvm::LoadInst>(access)) load->setVolatile(isVolatile);
    if (auto* const store = llvm::dyn_cast<llvm::StoreInst>(access)) store->setVolatile(isVolatile);
  };
  for (llvm::Function& function : *lowering.module) {
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      const llvm::Value* const pointer = llvm::getLoadStorePointerOperand(&instruction);
      if (pointer && instruction.isVolatile() && pointer->getType()->getPointerAddressSpace() == generic)
        accesses.push_back(&instruction);
    }
  }
  for (llvm::Instruction* const access : accesses) setVolatile(access, false);
  Pipeline pipeline(lowering, /*vectorise=*/false);
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::InferAddressSpacesPass());
  pipeline.run(std::move(passes));
  for (llvm::Instruction* const access : accesses) setVolatile(access, true);
}

}  // namespace

void nameSpacesOfAccesses(Lowering& lowering) {
  if (lowering.job.options.optLevel == OptLevel::O0) simplifyPointers(lowering);
  inferSpaces(lowering);
}

}  // namespace lathe::detail
