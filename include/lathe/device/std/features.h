// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C library's version and switches, of which there are none here.
#ifndef LATHE_STD_FEATURES_H
#define LATHE_STD_FEATURES_H
#endif
