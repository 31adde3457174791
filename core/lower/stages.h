// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stages of lowering. Each is one function of one file; it takes and leaves a valid module, and does not know which
// list of core/driver/pipelines.h it runs in.
#pragma once

#include "llvm/Support/Error.h"

namespace lathe::detail {

struct Lowering;

namespace stage {
llvm::Error markSectionEntries(Lowering&);
llvm::Error neutralise(Lowering&);
llvm::Error releaseHostSymbols(Lowering&);
llvm::Error import(Lowering&);
llvm::Error findKernels(Lowering&);
llvm::Error findSectionEntries(Lowering&);
llvm::Error exportFunctions(Lowering&);
llvm::Error internalise(Lowering&);
llvm::Error settleLinkage(Lowering&);
llvm::Error specialise(Lowering&);
llvm::Error replaceAssembly(Lowering&);
llvm::Error retarget(Lowering&);
llvm::Error separateFailures(Lowering&);
llvm::Error deviceAbi(Lowering&);
llvm::Error instrument(Lowering&);
llvm::Error libraries(Lowering&);
llvm::Error callByNumber(Lowering&);
llvm::Error kernelState(Lowering&);
llvm::Error groupShape(Lowering&);
llvm::Error dynamicShared(Lowering&);
llvm::Error launchLayout(Lowering&);
llvm::Error kernelAbi(Lowering&);
llvm::Error inlineAll(Lowering&);
llvm::Error afterKernelAbi(Lowering&);
llvm::Error smallCopies(Lowering&);
llvm::Error simplify(Lowering&);
llvm::Error simplifyItems(Lowering&);
llvm::Error simplifyBeforeLoops(Lowering&);
llvm::Error workGroups(Lowering&);
llvm::Error hostStubs(Lowering&);
llvm::Error optimise(Lowering&);
llvm::Error optimiseItems(Lowering&);
llvm::Error optimiseLoops(Lowering&);
llvm::Error coarsen(Lowering&);
llvm::Error vectorWidth(Lowering&);
llvm::Error lateLibraries(Lowering&);
llvm::Error late(Lowering&);
llvm::Error structure(Lowering&);
llvm::Error validate(Lowering&);
llvm::Error description(Lowering&);
llvm::Error emit(Lowering&);
llvm::Error link(Lowering&);
llvm::Error image(Lowering&);
}  // namespace stage

}  // namespace lathe::detail
