// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instances that broken host code names. A call whose arguments are broken is not resolved, and what it would have
// instantiated is not there: kernels that are launched, functions that launch them. Where its template arguments are
// all written, they suffice.
#pragma once

namespace clang {
class FunctionDecl;
class Sema;
}  // namespace clang

namespace lathe::dialects {

/// Makes the instances that `function`, in which Clang found errors, names.
void instantiateWhatIsNamed(clang::Sema& sema, clang::FunctionDecl& function);

}  // namespace lathe::dialects
