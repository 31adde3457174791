// Loops over items stay vector code where they call mathematics: Lathe's own of vectors is part of the loop where the
// machine fuses multiplications with additions, with an instruction that scales where it has one; else glibc's.
//
// RUN: %compile --target x86-64-v3 --emit asm -o - %s | FileCheck %s
// RUN: %compile --target x86-64-v3 --emit asm -o - %S/../Inputs/vector_math.cu | FileCheck %s
// RUN: %compile --target x86-64-v4 --emit asm -o - %s | FileCheck %s --check-prefix=SCALES
// RUN: %compile --target x86-64-v2 --emit asm -o - %s | FileCheck %s --check-prefix=GLIBC
// CHECK: {{^}}waves{{.*}}:
// CHECK-NOT: _ZGV
// CHECK: vfmadd{{.*}}%ymm
// CHECK-NOT: _ZGV
// SCALES: vscalefps
// GLIBC-DAG: call{{.*}}_ZGVbN4v_sinf
// GLIBC-DAG: call{{.*}}_ZGVbN4v_expf
#include <lathe/device.h>

extern "C" LATHE_KERNEL void waves(const float* in, float* out) {
  const unsigned i = lathe::global_id().x;
  out[i] = sinf(in[i]) + expf(in[i]);
}
