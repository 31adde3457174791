// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared variables of class types. CUDA compilers leave a `__shared__` variable in a function uninitialised, whatever
// its type's constructors and destructor do, and warn of it where they do anything; programs count on it for the
// barriers of <cuda/barrier>, which `init` sets up. Clang refuses such a variable. It builds no initializer for one
// with a defining attribute, which an attribute of the dialect's therefore gives them.
#pragma once

#include "clang/Sema/SemaConsumer.h"

namespace lathe::dialects {

/// Warns of constructors that are left out. Lives as long as one compile.
class SharedVariables final : public clang::SemaConsumer {
 public:
  void InitializeSema(clang::Sema& sema) override { sema_ = &sema; }
  void ForgetSema() override { sema_ = nullptr; }
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override;
  void HandleInlineFunctionDefinition(clang::FunctionDecl* function) override;

 private:
  clang::Sema* sema_ = nullptr;
};

}  // namespace lathe::dialects
