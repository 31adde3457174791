// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A mark that a target's hooks put on entry points, beside those of <lathe/sdk/portable_ir.h>.
#pragma once

namespace lathe::sdk::attribute {

/// An entry point whose functions have a stack each where the loader is new enough: the descriptor's limit of stack
/// holds for each of them, and along calls with older loaders only.
inline constexpr const char* ownStacks = "lathe.own-stacks";

}  // namespace lathe::sdk::attribute
