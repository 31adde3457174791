// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Build tool: `lathe_library_packer OUT IN` writes bitcode with those functions of a library that Lathe's mathematics
// can name (core/lower/math/math.cpp): all parameters and the result are single floats, doubles or 32-bit integers, and
// not all of them integers. With them stay the functions and tables that they use. libclc has ten times as many, for
// vectors, halves and memory; a reader of its bitcode goes through the declarations of all.
#include <cstdio>
#include <system_error>
#include <vector>

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"

namespace {

bool isFloating(const llvm::Type* type) {
  return type->isFloatTy() || type->isDoubleTy();
}

/// Whether mathematics can have this type.
bool isMath(const llvm::FunctionType& type) {
  const auto isSingle = [](const llvm::Type* one) { return isFloating(one) || one->isIntegerTy(32); };
  return isSingle(type.getReturnType()) && llvm::all_of(type.params(), isSingle) &&
         (isFloating(type.getReturnType()) || llvm::any_of(type.params(), isFloating));
}

/// Removes what the functions of mathematics do not need. False if nothing is left.
bool reduce(llvm::Module& module) {
  // Local for so long: then what nobody uses goes.
  std::vector<std::pair<llvm::WeakTrackingVH, llvm::GlobalValue::LinkageTypes>> linkages;
  bool any = false;
  for (llvm::GlobalValue& value : module.global_values()) {
    if (value.isDeclaration() || value.hasAppendingLinkage()) continue;
    const auto* const function = llvm::dyn_cast<llvm::FunctionType>(value.getValueType());
    if (function && isMath(*function)) {
      any = true;
    } else if (!value.hasLocalLinkage()) {
      linkages.emplace_back(&value, value.getLinkage());
      value.setLinkage(llvm::GlobalValue::InternalLinkage);
    }
  }
  llvm::ModuleAnalysisManager analyses;
  llvm::GlobalDCEPass().run(module, analyses);
  for (const auto& [value, linkage] : linkages) {
    if (auto* const still = llvm::dyn_cast_or_null<llvm::GlobalValue>(value)) still->setLinkage(linkage);
  }
  return any;
}

int fail(const char* what, const std::string& why) {
  std::fprintf(stderr, "lathe_library_packer: %s: %s\n", what, why.c_str());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return fail("usage", "lathe_library_packer OUT IN");
  auto file = llvm::MemoryBuffer::getFile(argv[2]);
  if (!file) return fail(argv[2], file.getError().message());
  llvm::LLVMContext context;
  auto module = llvm::parseBitcodeFile(**file, context);
  if (!module) return fail(argv[2], llvm::toString(module.takeError()));
  llvm::StripDebugInfo(**module);
  if (!reduce(**module)) return fail(argv[2], "it has no functions of mathematics");
  std::error_code error;
  llvm::ToolOutputFile out(argv[1], error, llvm::sys::fs::OF_None);
  if (error) return fail(argv[1], error.message());
  llvm::WriteBitcodeToFile(**module, out.os());
  out.os().close();
  if (out.os().has_error()) return fail(argv[1], out.os().error().message());
  out.keep();
  return 0;
}
