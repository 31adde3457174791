// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// <sys/ioctl.h>. Declarations only: the functions run on the host, and nothing of them is ever emitted for a device.
#ifndef LATHE_STD_SYS_IOCTL_H
#define LATHE_STD_SYS_IOCTL_H
#define TIOCGWINSZ 0x5413
#define TIOCOUTQ 0x5411
#define FIONREAD 0x541b
#define TIOCINQ FIONREAD
#define FIONBIO 0x5421
struct winsize { unsigned short ws_row, ws_col, ws_xpixel, ws_ypixel; };
extern "C" int ioctl(int, unsigned long, ...) noexcept;
#endif
