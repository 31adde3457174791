// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The assembler of the CUDA toolkit takes the PTX of every generation, and Lathe's own use of it gives a cubin.
//
// REQUIRES: ptxas
// RUN: %compile %s -t cuda:sm_75 --emit ptx -o %t.75.ptx && %ptxas -arch=sm_75 %t.75.ptx -o %t.75.cubin
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o %t.80.ptx && %ptxas -arch=sm_80 %t.80.ptx -o %t.80.cubin
// RUN: %compile %s -t cuda:sm_90a --emit ptx -o %t.90.ptx && %ptxas -arch=sm_90a %t.90.ptx -o %t.90.cubin
// RUN: %compile %s -t cuda:sm_100 --emit ptx -o %t.100.ptx && %ptxas -arch=sm_100 %t.100.ptx -o %t.100.cubin
// RUN: %compile %s -t cuda:sm_120 -g --emit ptx -o %t.120.ptx && %ptxas -arch=sm_120 %t.120.ptx -o %t.120.cubin
// RUN: %compile %s -t cuda:sm_80 -O 0 --emit ptx -o %t.0.ptx && %ptxas -arch=sm_80 %t.0.ptx -o %t.0.cubin
// RUN: %compile %s -t cuda:sm_90 --emit cubin -o %t.cubin && llvm-readelf -h %t.cubin | FileCheck %s
// CHECK: Machine: NVIDIA CUDA architecture
//
// Toolkits from 13.0 on have left Maxwell: there the text is all that can be checked.
// RUN: %compile %s -t cuda:sm_50 --emit ptx -o - | FileCheck %s --check-prefix=MAXWELL
// MAXWELL: .target sm_50
#include <lathe/device.h>

struct Range {
  char tag;
  double low, high;
};

LATHE_CONSTANT float weights[4] = {1, 2, 3, 4};
LATHE_GLOBAL unsigned long seen = 0;

LATHE_BOUNDS(128, 2) LATHE_KERNEL void everything(Range range, const float* in, float* out, double* wide) {
  LATHE_SHARED float tile[128];
  const unsigned i = lathe::item_id().x, at = lathe::global_id().x;
  tile[i] = sinf(in[at]) * weights[i & 3] + powf(fabsf(in[at]), 0.3f);
  for (unsigned step = lathe::group_size().x / 2; step > 0; step /= 2) {
    lathe::barrier();
    if (i < step) tile[i] += tile[i + step];
  }
  lathe::barrier();
  out[at] = tile[0] / float(range.high - range.low);
  lathe::atomic_add(&seen, 1ul);
  lathe::atomic_add(wide, double(tile[0]));
  if (tile[0] != tile[0]) lathe::trap();
}
