// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of host functions in operands that are not evaluated, of `decltype` or `sizeof`. CUDA's compiler takes them in
// code for the device, as no code is made of them; Clang asks for the sides of all calls alike, and a template whose
// signature has such a call would be none for its arguments.
//
//   template <class T> T&& made();
//   template <class F> __device__ auto apply(F f) -> decltype(f(made<int>()));
#pragma once

#include <vector>

#include "clang/Sema/SemaConsumer.h"

namespace clang {
class CompilerInstance;
class LangOptions;
}  // namespace clang

namespace lathe::dialects {

/// Lets Clang take such calls where the source is read and in signatures of templates. In the bodies of instances they
/// stay errors, which SidesOfFunctions knows.
class UnevaluatedOperands final : public clang::SemaConsumer {
 public:
  explicit UnevaluatedOperands(clang::CompilerInstance& compiler);

  /// Called for each token, while Clang is where it stands.
  void watch();

  void InitializeSema(clang::Sema& sema) override;
  void ForgetSema() override;

 private:
  class Instances;

  void take(bool hostCalls);

  clang::LangOptions& options_;
  clang::Sema* sema_ = nullptr;
};

}  // namespace lathe::dialects
