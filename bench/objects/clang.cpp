// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define FUNCTION(result, name) extern "C" result clang_##name
#include "functions.h"
