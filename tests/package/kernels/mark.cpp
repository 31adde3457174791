// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first letter of the library that this is compiled for.
#include <lathe/device.h>

template <class T>
LATHE_KERNEL void mark(T* out) {
  *out = NAME[0];
}
