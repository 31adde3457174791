// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What LLVM 22 makes of several instructions on AMD GPUs and the machine has as one (targets/amdgpu/hooks.cpp).
//
// RUN: %compile %s -t amdgpu:gfx1100 --emit asm -o - | FileCheck %s
// RUN: %compile %s -t amdgpu:gfx942 --emit asm -o - | FileCheck %s
// RUN: %dump-after retarget -t amdgpu:gfx942 2>&1 | FileCheck %s --check-prefix=SHARED
// RUN: %dump-after late -t amdgpu:gfx942 2>&1 | FileCheck %s --check-prefix=LATE

// Arrays as long as the widest access are aligned for it, as launch-sized ones are on every target, shorter ones as their types are.
// SHARED-DAG: @{{.*}}tile = {{.*}}addrspace(3) global [16 x [4 x float]] undef, align 16
// SHARED-DAG: @{{.*}}pair = {{.*}}addrspace(3) global [2 x float] undef, align 4
// SHARED-DAG: @{{.*}}rest = external addrspace(3) global [0 x float], align 16
// CHECK-LABEL: {{^}}_Z4sumsPf:
// CHECK: ds_{{(read|load)}}_b128
// CHECK-NOT: ds_{{(read2|load_2addr)}}
// CHECK: s_endpgm
extern __shared__ float rest[];
__global__ void sums(float* out) {
  __shared__ float tile[16][4], pair[2];
  tile[threadIdx.y][threadIdx.x] = out[threadIdx.x];
  if (threadIdx.x < 2) pair[threadIdx.x] = out[threadIdx.x + 64], rest[threadIdx.x] = out[threadIdx.x + 66];
  __syncthreads();
  const float* row = tile[threadIdx.y];
  out[threadIdx.x] = row[0] * row[1] + row[2] * row[3] + pair[threadIdx.x % 2] + rest[threadIdx.x % 2];
}

// CHECK-LABEL: {{^}}_Z7convertPKfPKdPaPhPi:
// CHECK-NOT: v_cndmask
// CHECK-DAG: v_cvt_i32_f32
// CHECK-DAG: v_cvt_u32_f32
// CHECK-DAG: v_cvt_i32_f64
// CHECK-NOT: v_cndmask
// CHECK: s_endpgm
__global__ void convert(const float* x, const double* y, signed char* a, unsigned char* b, int* c) {
  const unsigned i = threadIdx.x;
  a[i] = static_cast<signed char>(x[i]);
  b[i] = static_cast<unsigned char>(x[i]);
  c[i] = __double2int_rz(y[i]);
}

// A number that was an integer keeps the comparisons: LLVM would take the integer for the result.
// LATE-LABEL: @_Z9roundTripPKiPh
// LATE: call i32 @llvm.fptoui.sat.i32.f32
__global__ void roundTrip(const int* in, unsigned char* out) {
  out[threadIdx.x] = static_cast<unsigned char>(static_cast<float>(in[threadIdx.x]));
}

// CHECK-LABEL: {{^}}_Z4rootPf:
// CHECK-NOT: v_sqrt_f32
// CHECK: v_rsq_f32
// CHECK-NOT: v_sqrt_f32
// CHECK: s_endpgm
__global__ void root(float* x) {
  x[threadIdx.x] = rsqrtf(x[threadIdx.x]);
}

// An exact quotient of an exact root is one.
// CHECK-LABEL: {{^}}_Z5exactPf:
// CHECK-NOT: v_rsq_f32
// CHECK: v_sqrt_f32
// CHECK: v_div_fixup_f32
__global__ void exact(float* x) {
  x[threadIdx.x] = 1 / sqrtf(x[threadIdx.x]);
}
