// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// <sys/ioctl.h>. Declarations only: the functions run on the host, and nothing of them is ever emitted for a device.
#ifndef LATHE_STD_SYS_IOCTL_H
#define LATHE_STD_SYS_IOCTL_H
extern "C" int ioctl(int, unsigned long, ...) noexcept;
#endif
