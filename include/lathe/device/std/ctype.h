// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C's <ctype.h>. Declarations only: the functions run on the host, and nothing of them is ever emitted for a device.
#ifndef LATHE_STD_CTYPE_H
#define LATHE_STD_CTYPE_H
#define _LIBCPP_CTYPE_H  // libc++ asks for this proof that its own wrapper was read
extern "C" {
int isalnum(int) noexcept;
int isalpha(int) noexcept;
int isblank(int) noexcept;
int iscntrl(int) noexcept;
int isdigit(int) noexcept;
int isgraph(int) noexcept;
int islower(int) noexcept;
int isprint(int) noexcept;
int ispunct(int) noexcept;
int isspace(int) noexcept;
int isupper(int) noexcept;
int isxdigit(int) noexcept;
int isascii(int) noexcept;
int tolower(int) noexcept;
int toupper(int) noexcept;
int toascii(int) noexcept;
}
#endif
