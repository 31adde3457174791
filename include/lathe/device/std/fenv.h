// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C's <fenv.h>. Declarations only: the functions run on the host, and nothing of them is ever emitted for a device.
#ifndef LATHE_STD_FENV_H
#define LATHE_STD_FENV_H
#define _LIBCPP_FENV_H  // libc++ asks for this proof that its own wrapper was read
typedef unsigned long fexcept_t;
typedef struct { unsigned long state[4]; } fenv_t;
#define FE_INVALID 1
#define FE_DIVBYZERO 4
#define FE_OVERFLOW 8
#define FE_UNDERFLOW 16
#define FE_INEXACT 32
#define FE_ALL_EXCEPT 61
#define FE_TONEAREST 0
#define FE_DOWNWARD 0x400
#define FE_UPWARD 0x800
#define FE_TOWARDZERO 0xc00
extern "C" {
int feclearexcept(int) noexcept;
int fegetexceptflag(fexcept_t*, int) noexcept;
int feraiseexcept(int) noexcept;
int fesetexceptflag(const fexcept_t*, int) noexcept;
int fetestexcept(int) noexcept;
int fegetround() noexcept;
int fesetround(int) noexcept;
int fegetenv(fenv_t*) noexcept;
int feholdexcept(fenv_t*) noexcept;
int fesetenv(const fenv_t*) noexcept;
int feupdateenv(const fenv_t*) noexcept;
}
#endif
