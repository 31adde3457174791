// Loops over items stay vector code where they call mathematics: glibc's vector functions take the place of libm's.
//
// RUN: %compile --target x86-64-v3 --emit asm -o - %s | FileCheck %s
// RUN: %compile --target x86-64-v3 --emit asm -o - %S/../Inputs/vector_math.cu | FileCheck %s
// CHECK: {{^}}waves{{.*}}:
// CHECK-DAG: call{{.*}}_ZGVdN8v_sinf
// CHECK-DAG: call{{.*}}_ZGVdN8v_expf
#include <lathe/device.h>

extern "C" LATHE_KERNEL void waves(const float* in, float* out) {
  const unsigned i = lathe::global_id().x;
  out[i] = sinf(in[i]) + expf(in[i]);
}
