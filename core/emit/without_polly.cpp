// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Debian's LLVM has Polly as an extension, which every program that links its archives of LTO, as LLD does, takes in
// whole: two megabytes, and options that are registered when the program starts. Nothing here runs it. The function by
// which LLVM asks for the extension is defined here instead, so that the linker leaves the archives out.
#include "llvm/Plugins/PassPlugin.h"

// By LLVM's name, from llvm/Support/Extension.def.
llvm::PassPluginLibraryInfo getPollyPluginInfo();

llvm::PassPluginLibraryInfo getPollyPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "none", LLVM_VERSION_STRING, [](llvm::PassBuilder&) {}};
}
