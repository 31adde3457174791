// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The folder that CUB, Thrust and libcu++ come from: one that has them all, for the target whose toolkit it is. Other
// headers in it are not seen.
// RUN: rm -rf %t && mkdir -p %t/kit/cub %t/kit/cuda %t/kit/nv %t/kit/thrust %t/part/cub %t/env/lib/python3.9/site-packages/nvidia/cu13/include
// RUN: echo '__device__ inline int marker() { return 4711; }' > %t/kit/cub/cub.cuh
// RUN: echo '#error another toolkit' > %t/kit/cuda_fp16.h
// RUN: cp -r %t/kit %t/env/lib/python3.9/site-packages/nvidia/cu13/include/cccl
// RUN: mkdir -p %t/home/include && cp -r %t/kit %t/home/include/cccl
// RUN: echo '#error not whole' > %t/part/cub/cub.cuh
// RUN: env LATHE_CCCL=%t/kit %compile %s -t cuda --emit ptx -o %t/a.ptx && FileCheck %s < %t/a.ptx
// RUN: env -u LATHE_CCCL CUDA_HOME=%t/home %compile %s -t cuda --emit ptx -o %t/b.ptx && FileCheck %s < %t/b.ptx
// RUN: env -u LATHE_CCCL -u CUDA_HOME -u CUDA_PATH VIRTUAL_ENV=%t/env %compile %s -t cuda --emit ptx -o %t/c.ptx && FileCheck %s < %t/c.ptx
// RUN: env LATHE_CCCL=%t/part CUDA_HOME=%t/home %compile %s -t cuda --emit ptx -o %t/d.ptx && FileCheck %s < %t/d.ptx
// CHECK: 4711
// RUN: env LATHE_CCCL=%t/kit %lathe doctor > %t/doctor.txt || true
// RUN: FileCheck %s --check-prefix=DOCTOR < %t/doctor.txt
// DOCTOR: CCCL {{.*}}kit
// Without one, and for other targets, Lathe's own.
// RUN: not env LATHE_CCCL=none CUDA_HOME=%t/home %compile %s -t cuda --emit ptx -o %t/e.ptx 2>&1 | FileCheck %s --check-prefix=OWN
// RUN: not env LATHE_CCCL=%t/kit %compile %s -t cpu -o %t/f.limg 2>&1 | FileCheck %s --check-prefix=OWN
// OWN: undeclared identifier 'marker'
// A bundle is compiled again with what it was compiled with.
// RUN: env LATHE_CCCL=%t/kit %compile %s -t cuda --emit ptx -o %t/g.ptx --save-job %t/job.lathejob
// RUN: env LATHE_CCCL=none %lathe job replay %t/job.lathejob -o %t/h.ptx && cmp %t/g.ptx %t/h.ptx
#include <cub/cub.cuh>
#include <cuda_fp16.h>

__global__ void marked(int* out) {
  *out = marker();
}
