// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Symbol visibility of Lathe's two libraries. Everything is hidden but what carries one of these.
#pragma once

#if defined(__GNUC__)
#define LATHE_API __attribute__((visibility("default")))
#else
#define LATHE_API
#endif
