// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Default arguments that a later declaration of a function template adds. C++ has none of them; CUDA's compiler gives
// them to all calls of a template that nothing used before, also to those which an earlier template made an instance
// for.
//
//   template <int N> __device__ int f(int a, int b);
//   template <int N> __device__ int f(int a, int b = 5) { return a + b * N; }     f<1>(2) is f<1>(2, 5)
#pragma once

#include "clang/AST/ASTConsumer.h"
#include "clang/Basic/Diagnostic.h"

namespace lathe::dialects {

/// Gives the earlier declarations of such templates the default arguments of the later.
class LaterDefaults final : public clang::ASTConsumer {
 public:
  /// Whether an error is about such an argument: Clang keeps it, and the error is all that is wrong.
  bool takes(const clang::Diagnostic& info);

  bool HandleTopLevelDecl(clang::DeclGroupRef group) override;

 private:
  bool some_ = false;  ///< errors whose templates were not seen since
};

}  // namespace lathe::dialects
