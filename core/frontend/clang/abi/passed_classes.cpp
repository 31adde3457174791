// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which types are classes of that kind is known of declarations; calls through pointers have only the types.
#include "core/frontend/clang/abi/passed_classes.h"

#include "clang/AST/DeclCXX.h"
#include "clang/CodeGen/CodeGenABITypes.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

namespace lathe::detail {
namespace {

using Types = llvm::SmallPtrSet<const llvm::Type*, 8>;

bool takesByValue(const llvm::Function& function) {
  return llvm::any_of(function.args(), [](const llvm::Argument& argument) { return argument.hasByValAttr(); });
}

/// Adds what objects of `function`'s parameters are in memory, of those that registers cannot hold.
void addClasses(clang::CodeGenerator& generator, const clang::FunctionDecl& function, Types& out) {
  for (const clang::ParmVarDecl* parameter : function.parameters()) {
    const clang::QualType type = parameter->getType();
    const auto* const record = type->getAsRecordDecl();
    if (record && record->isCompleteDefinition() && !record->canPassInRegisters())
      out.insert(clang::CodeGen::convertTypeForMemory(generator.CGM(), type));
  }
}

}  // namespace

void passClassesByAddress(clang::CodeGenerator& generator,
                          llvm::function_ref<bool(const clang::FunctionDecl&)> isKernel) {
  llvm::Module& module = *generator.GetModule();
  llvm::SmallVector<llvm::Function*> functions;
  Types classes;
  for (llvm::Function& function : module) {
    if (!takesByValue(function)) continue;
    // Thunks have none: they take what the function does that they lead to.
    const auto* const declaration =
        llvm::dyn_cast_or_null<clang::FunctionDecl>(generator.GetDeclForMangledName(function.getName()));
    if (declaration && isKernel(*declaration)) continue;
    functions.push_back(&function);
    if (declaration) addClasses(generator, *declaration, classes);
  }
  if (classes.empty()) return;
  const auto byAddress = [&](auto& taker, std::size_t count) {
    for (unsigned i = 0; i < count; ++i)
      if (classes.contains(taker.getParamByValType(i))) taker.removeParamAttr(i, llvm::Attribute::ByVal);
  };
  for (llvm::Function* function : functions) byAddress(*function, function->arg_size());
  for (llvm::Function& function : module) {
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction)) byAddress(*call, call->arg_size());
  }
}

}  // namespace lathe::detail
