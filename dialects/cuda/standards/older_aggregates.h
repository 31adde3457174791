// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Aggregates of C++17 and before. The headers of CUDA and HIP are C++20, and so are sources that ask for an older
// standard; C++20 takes from classes with constructors that are declared and defaulted what C++17 lets them have:
//
//   template <class T, int n> struct Array {
//     T values[n];
//     Array() = default;
//     Array(const Array&) = default;
//   };
//   return Array<int, 2>{{1, 2}};
#pragma once

#include <memory>
#include <string>

#include "clang/AST/ASTConsumer.h"

#include <lathe/job.h>

namespace clang {
class CompilerInstance;
}

namespace lathe::dialects {

/// The line before the source that tells readOlderAggregates() of a standard before C++20; empty for others.
[[nodiscard]] std::string olderStandardMark(const Options& options);

/// Makes classes of the source aggregates, where its standard has them as such, as soon as they are complete.
[[nodiscard]] std::unique_ptr<clang::ASTConsumer> readOlderAggregates(clang::CompilerInstance& compiler);

}  // namespace lathe::dialects
