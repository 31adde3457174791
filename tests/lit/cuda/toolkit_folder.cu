// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Command lines of CUDA programs name the toolkit's folder. Headers there that Lathe has itself are Lathe's, included by
// either form and from other headers of the toolkit; its libraries and what Lathe does not have are the toolkit's.
// RUN: rm -rf %t && mkdir -p %t/kit/crt %t/kit/cub %t/other
// RUN: touch %t/kit/crt/host_defines.h
// RUN: echo '#error the one of the toolkit' | tee %t/kit/vector_functions.h %t/kit/cuda_fp16.h %t/kit/cuda_runtime.h %t/kit/library_types.h > %t/kit/mma.h
// RUN: echo '#include "library_types.h"' > %t/kit/solver.h
// RUN: echo '#include "vector_functions.h"' >> %t/kit/solver.h
// RUN: echo '#define SOLVERS 3' >> %t/kit/solver.h
// RUN: echo '#define SUMS 4' > %t/kit/cub/cub.cuh
// RUN: %compile %s -t cpu -I %t/kit -o %t/image.limg
// RUN: %compile %s -t cpu -I %t/kit/ --std c++23 -o %t/image.limg 2>&1 | FileCheck %s --check-prefix=QUIET
// QUIET-NOT: {{warning|error}}
// A folder that is not the toolkit's stays in front.
// RUN: echo '#error the one of the other folder' > %t/other/mma.h
// RUN: not %compile %s -t cpu -I %t/other -I %t/kit -o %t/image.limg 2>&1 | FileCheck %s
// CHECK: {{.*}}other/mma.h:1:2: error: the one of the other folder
#include "cuda_runtime.h"
#include <cub/cub.cuh>
#include <mma.h>
#include <solver.h>

__global__ void pairs(float2* out, __half* half) {
  out[threadIdx.x] = make_float2(SOLVERS, SUMS);
  half[threadIdx.x] = __float2half(SOLVERS);
}
