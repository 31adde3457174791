// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The values are what Clang's code generation for AMD's GPUs writes: a number that is zero says nothing, and a second
// one is left out.
//
//   before: __attribute__((amdgpu_flat_work_group_size(64, 256))) __global__ void k()    define void @k() #0
//   after:  attributes #0 = { "lathe.amdgpu-flat-work-group-size"="64,256" "lathe.max-items"="256" }
#include "dialects/hip/kernel_attributes.h"

#include <initializer_list>
#include <string>

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "llvm/IR/Function.h"

#include <lathe/sdk/portable_ir.h>

namespace lathe::dialects {
namespace {

/// The value of an attribute's argument; a missing one has the value `none`.
std::uint64_t valueOf(const clang::Expr* expression, const clang::ASTContext& ast, std::uint64_t none) {
  return expression ? expression->EvaluateKnownConstInt(ast).getZExtValue() : none;
}

std::string listOf(std::initializer_list<std::uint64_t> numbers) {
  std::string out;
  for (const std::uint64_t number : numbers) out += (out.empty() ? "" : ",") + std::to_string(number);
  return out;
}

}  // namespace

void markTuning(const clang::FunctionDecl& declaration, llvm::Function& kernel) {
  const clang::ASTContext& ast = declaration.getASTContext();
  if (const auto* const sizes = declaration.getAttr<clang::AMDGPUFlatWorkGroupSizeAttr>()) {
    const std::uint64_t least = valueOf(sizes->getMin(), ast, 0), most = valueOf(sizes->getMax(), ast, 0);
    if (least != 0) {
      kernel.addFnAttr("lathe.amdgpu-flat-work-group-size", listOf({least, most}));
      // A promise about launches holds wherever the kernel is launched.
      kernel.addFnAttr(sdk::attribute::maxItems, std::to_string(most));
    }
  }
  if (const auto* const waves = declaration.getAttr<clang::AMDGPUWavesPerEUAttr>()) {
    const std::uint64_t least = valueOf(waves->getMin(), ast, 0), most = valueOf(waves->getMax(), ast, 0);
    if (least != 0) kernel.addFnAttr("lathe.amdgpu-waves-per-eu", most ? listOf({least, most}) : listOf({least}));
  }
  if (const auto* const registers = declaration.getAttr<clang::AMDGPUNumVGPRAttr>();
      registers && registers->getNumVGPR())
    kernel.addFnAttr("lathe.amdgpu-num-vgpr", std::to_string(registers->getNumVGPR()));
  if (const auto* const registers = declaration.getAttr<clang::AMDGPUNumSGPRAttr>();
      registers && registers->getNumSGPR())
    kernel.addFnAttr("lathe.amdgpu-num-sgpr", std::to_string(registers->getNumSGPR()));
  if (const auto* const groups = declaration.getAttr<clang::AMDGPUMaxNumWorkGroupsAttr>()) {
    kernel.addFnAttr("lathe.amdgpu-max-num-workgroups", listOf({valueOf(groups->getMaxNumWorkGroupsX(), ast, 1),
                                                                valueOf(groups->getMaxNumWorkGroupsY(), ast, 1),
                                                                valueOf(groups->getMaxNumWorkGroupsZ(), ast, 1)}));
  }
}

}  // namespace lathe::dialects
