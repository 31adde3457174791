// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C's <wctype.h>. Declarations only: wide text is for host code.
#ifndef LATHE_STD_WCTYPE_H
#define LATHE_STD_WCTYPE_H
#define _LIBCPP_WCTYPE_H  // libc++ asks for this proof that its own wrapper was read
#include <wchar.h>
#define LATHE_STD_WIDE(name) extern "C" int name(wint_t) noexcept;
LATHE_STD_WIDE(iswalnum)
LATHE_STD_WIDE(iswalpha)
LATHE_STD_WIDE(iswblank)
LATHE_STD_WIDE(iswcntrl)
LATHE_STD_WIDE(iswdigit)
LATHE_STD_WIDE(iswgraph)
LATHE_STD_WIDE(iswlower)
LATHE_STD_WIDE(iswprint)
LATHE_STD_WIDE(iswpunct)
LATHE_STD_WIDE(iswspace)
LATHE_STD_WIDE(iswupper)
LATHE_STD_WIDE(iswxdigit)
#undef LATHE_STD_WIDE
extern "C" wint_t towlower(wint_t) noexcept;
extern "C" wint_t towupper(wint_t) noexcept;
#endif
