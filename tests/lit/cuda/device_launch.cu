// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that launch kernels: what they launch is an entry point of the image, and NVIDIA's runtime for devices is called
// for the launch alone. Launches that cannot be are told to the kernel, or end the launch they belong to.
// RUN: %compile %s -t cuda:sm_90 -k parent --emit ptx -o %t.ptx && FileCheck %s < %t.ptx
// RUN: FileCheck %s --check-prefix=OTHERS --implicit-check-not=unasked < %t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_90 -c %t.ptx -o %t.cubin %}
// RUN: %compile %s -t cuda:sm_90 -k asks --emit ptx -o - | FileCheck %s --check-prefix=ASKS --implicit-check-not=__cudaCDP2
// RUN: %lathe run %s -t cpu -k parent --grid 1 --group 4 --arg 'zeros:i32[4]' --print 0 | FileCheck %s --check-prefix=VALUES
// RUN: %lathe run %s -t cpu -k empty --grid 1 --group 1 --arg 'zeros:i32[4]' --print 0 | FileCheck %s --check-prefix=EMPTY
// RUN: not %lathe run %s -t cpu -k huge --grid 1 --group 1 --arg 'zeros:i32[4]' 2>&1 | FileCheck %s --check-prefix=HUGE
// RUN: not %lathe run %s -t cpu -k fails --grid 1 --group 1 --arg 'zeros:i32[4]' 2>&1 | FileCheck %s --check-prefix=FAILS
// RUN: not %compile %s -t amdgpu:gfx942 -k parent -o %t.o 2>&1 | FileCheck %s --check-prefix=AMD
#include <cuda_runtime.h>

__global__ void unasked(int* out) { *out = 1; }
// OTHERS: .entry _Z5childPisd(
__global__ void child(int* out, short first, double by) {
  out[threadIdx.x] = first + static_cast<int>(by * threadIdx.x);
}
// CHECK: .entry _Z6parentPi(
// CHECK: mov.b64 %rd{{[0-9]+}}, _Z5childPisd;
// CHECK: call.uni (retval0), __cudaCDP2GetParameterBufferV2,
// CHECK-DAG: st.b16 	[%rd{{[0-9]+}}+8], 3;
// CHECK-DAG: st.b64 [%rd{{[0-9]+}}+16], 4611686018427387904;
// CHECK: call.uni (retval0), __cudaCDP2LaunchDeviceV2,
// VALUES: 3 5 7 9
// AMD: device_launch.cu:[[@LINE+3]]:{{[0-9]+}}: error: launch {{.*}} does not exist on amdgpu:gfx942
// AMD: note: targets that have it: {{.*}}cpu, cuda
__global__ void parent(int* out) {
  if (threadIdx.x == 0) child<<<1, 4>>>(out, 3, 2.0);
}
// ASKS: .entry _Z4asksPi(
__global__ void asks(int* out) { *out = cudaGetLastError(); }

// EMPTY: 1 0 0 0
__global__ void empty(int* out) {
  child<<<0, 4>>>(out, 3, 2.0);
  out[0] = cudaGetLastError();
  out[1] = cudaGetLastError();
}
// HUGE: error: kernel 'child': a group of 1000000x1x1 is larger
__global__ void huge(int* out) { child<<<1, 1000000>>>(out, 3, 2.0); }

__global__ void breaks(int* out) { __trap(); }
// FAILS: error: kernel 'breaks': it trapped
__global__ void fails(int* out) { breaks<<<1, 1>>>(out); }
