// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What HIP sources may not have, with its line: AMD's assembly, and matrix tiles of 32 threads where a warp has 64.
// RUN: not %compile %s -t amdgpu:gfx942 -DASSEMBLY -o %t.limg 2>&1 | FileCheck %s --check-prefix=ASSEMBLY
// ASSEMBLY: refused.hip:[[#@LINE+10]]:{{.*}} error: inline assembly of AMD's GPUs is not read
// ASSEMBLY: hint: call a builtin
// RUN: not %compile %s -t amdgpu:gfx942 -DTILES -o %t.limg 2>&1 | FileCheck %s --check-prefix=TILES
// TILES: error: "<mma.h> is for warps of 32 threads, and this architecture has wider ones"
// RUN: %compile %s -t amdgpu:gfx1100 -DTILES -o %t.limg
#ifdef TILES
#include <mma.h>
#endif
#ifdef ASSEMBLY
__global__ void assembly(float* p) {
  __asm__("v_exp_f32 %0, %1" : "=v"(p[0]) : "v"(p[1]));
}
#else
__global__ void empty() {}
#endif
