// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// POSIX's <libgen.h>. Declarations only: the functions run on the host, and nothing of them is ever emitted for a device.
#ifndef LATHE_STD_LIBGEN_H
#define LATHE_STD_LIBGEN_H
extern "C" char* dirname(char*) noexcept;
extern "C" char* basename(char*) noexcept;
#endif
