// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Symbol visibility of Lathe's two libraries: every symbol is hidden but those marked LATHE_API.
#pragma once

#if defined(__GNUC__)
#define LATHE_API __attribute__((visibility("default")))
#else
#define LATHE_API
#endif
