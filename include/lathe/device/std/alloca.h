// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// alloca() as the compiler has it.
#ifndef LATHE_STD_ALLOCA_H
#define LATHE_STD_ALLOCA_H
#define alloca __builtin_alloca
#endif
