// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launchers: functions through which C code runs a kernel without any library of Lathe's. Made by stage 9 for targets
// whose descriptor asks for them (kernel.launchers).
#pragma once

#include "llvm/Support/Error.h"

namespace lathe::detail {

struct Lowering;

/// For each entry K, whose function is a group entry by now, adds two functions of C's calling convention; a group
/// entry that has K's C name itself is renamed:
///
///   int    K(const struct lathe_launch*, parameters…)     runs the launch's groups one after another
///   size_t K_scratch(const struct lathe_launch*)          bytes that one such call needs
///
/// Scalars and pointers are passed by value, all else by pointer. Errors: InvalidArgument if two functions would have
/// one name.
llvm::Error writeLaunchers(Lowering& lowering);

}  // namespace lathe::detail
