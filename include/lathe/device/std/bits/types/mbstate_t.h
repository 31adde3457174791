// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where libc++ looks for the one type of <wchar.h> that it needs without wide characters.
#ifndef LATHE_STD_MBSTATE_T
#define LATHE_STD_MBSTATE_T
typedef struct { unsigned state[2]; } mbstate_t;
#endif
