// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What HIP sources may not have, with its line: PTX that has no translation, and matrix tiles of 32 threads where a warp has 64.
// RUN: not %compile %s -t amdgpu:gfx942 -DASSEMBLY -o %t.limg 2>&1 | FileCheck %s --check-prefix=ASSEMBLY
// ASSEMBLY: refused.hip:[[#@LINE+13]]:{{.*}} error: inline PTX: {{.*}}unheard{{.*}} has no translation on amdgpu:gfx942
// ASSEMBLY: hint: keep it from this target
// RUN: not %compile %s -t amdgpu:gfx942 -DTILES -o %t.limg 2>&1 | FileCheck %s --check-prefix=TILES
// TILES: error: "<mma.h> is for warps of 32 threads, and this architecture has wider ones"
// RUN: %compile %s -t amdgpu:gfx1100 -DTILES -o %t.limg
// Bounds above what any device runs say nothing, as in AMD's compiler.
// RUN: %compile %s -t amdgpu:gfx942 -DBOUNDS --emit asm -o - | FileCheck %s --check-prefix=BOUNDS
// BOUNDS: .max_flat_workgroup_size: 1024
#ifdef TILES
#include <mma.h>
#endif
#ifdef ASSEMBLY
__global__ void assembly(float* p) {
  __asm__("unheard.f32 %0, %1;" : "=f"(p[0]) : "f"(p[1]));
}
#elif defined(BOUNDS)
__global__ __launch_bounds__(1536) void large(int* p) {
  p[threadIdx.x] = 1;
}
#else
__global__ void empty() {}
#endif
