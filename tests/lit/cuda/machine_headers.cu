// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Headers of libraries in the machine's include folders are found without a -I, as CUDA's compiler finds them, and the
// C library's there are not: those are Lathe's own. {fmt}'s header stands for such a library where the machine has it.
// RUN: %compile %s -t cuda:sm_90 --emit ptx -o %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: %compile %s -t cuda:sm_90 -I /usr/include --emit ptx -o %t.named.ptx
// RUN: FileCheck %s < %t.named.ptx
// RUN: %compile %s -t cpu -o %t.limg
// CHECK: .entry _Z5scalePf
#if defined(__LATHE__) && __has_include("/usr/include/fmt/core.h")
#if !__has_include(<fmt/core.h>)
#error a header of the machine's was not found
#endif
#include <fmt/core.h>
#endif

#if defined(__LATHE__) && (__has_include("/usr/include/stdio.h") || \
                           __has_include(<bits/types.h>) || __has_include(<linux/if_ether.h>))
#error the C library of the machine is not to be seen
#endif
#if defined(__LATHE__) && (__has_include(<x86_64-linux-gnu/bits/types.h>) || __has_include("/usr/include/sys/types.h"))
#error nor are its folders
#endif

#include <stdio.h>
#include <sys/types.h>

#include <cmath>

__global__ void scale(float* x) {
  x[threadIdx.x] = std::sqrt(x[threadIdx.x]);
}
