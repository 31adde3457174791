// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C's <wchar.h>, as far as std::wstring needs it. Declarations only: wide text is for host code, and nothing of it is
// ever emitted for a device.
#ifndef LATHE_STD_WCHAR_H
#define LATHE_STD_WCHAR_H
#define _LIBCPP_WCHAR_H  // libc++ asks for this proof that its own wrapper was read
#include <stddef.h>
#define __need_wint_t
#include <stddef.h>
#include <bits/types/mbstate_t.h>
#define WEOF (static_cast<wint_t>(-1))
extern "C" size_t wcslen(const wchar_t*) noexcept;
extern "C" int wcscmp(const wchar_t*, const wchar_t*) noexcept;
extern "C" wchar_t* wmemchr(const wchar_t*, wchar_t, size_t) noexcept;
extern "C" int wmemcmp(const wchar_t*, const wchar_t*, size_t) noexcept;
extern "C" wchar_t* wmemcpy(wchar_t*, const wchar_t*, size_t) noexcept;
extern "C" wchar_t* wmemmove(wchar_t*, const wchar_t*, size_t) noexcept;
extern "C" wchar_t* wmemset(wchar_t*, wchar_t, size_t) noexcept;
#endif
