// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The end of a parse that nobody waits for any more.
#pragma once

#include <memory>
#include <stop_token>

#include "clang/AST/ASTConsumer.h"
#include "clang/Frontend/CompilerInstance.h"

namespace lathe::detail {

/// A consumer that, once `stop` is requested, ends the parse after the declaration at hand, instantiates no further
/// template and generates no code. It is to come before those that generate it.
std::unique_ptr<clang::ASTConsumer> stoppingConsumer(clang::CompilerInstance& compiler, std::stop_token stop);

}  // namespace lathe::detail
