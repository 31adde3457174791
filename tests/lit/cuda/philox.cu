// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Philox 4x32-10 against the published vectors of its authors (Random123, kat_vectors): counter and key zero, and all ones.
// RUN: %lathe run %s -t cpu --grid 1 --group 1 -k known --arg zeros:u32[8] --print 0:8 | FileCheck %s
// CHECK: 1713891541 3781805453 3159862348 2600524760 1083123565 1103641358 2718681030 1834242557
#include <curand_kernel.h>

__global__ void known(unsigned* out) {
  uint4 v = curand_Philox4x32_10(make_uint4(0, 0, 0, 0), make_uint2(0, 0));
  out[0] = v.x, out[1] = v.y, out[2] = v.z, out[3] = v.w;
  const unsigned ones = 0xffffffffu;
  v = curand_Philox4x32_10(make_uint4(ones, ones, ones, ones), make_uint2(ones, ones));
  out[4] = v.x, out[5] = v.y, out[6] = v.z, out[7] = v.w;
}
