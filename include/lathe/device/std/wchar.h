// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The types of C's <wchar.h>, for headers that name them; wide text is not supported.
#ifndef LATHE_STD_WCHAR_H
#define LATHE_STD_WCHAR_H
#define _LIBCPP_WCHAR_H  // libc++ asks for this proof that its own wrapper was read
#include <stddef.h>
#define __need_wint_t
#include <stddef.h>
#include <bits/types/mbstate_t.h>
#endif
