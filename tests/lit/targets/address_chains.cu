// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Addresses of an unrolled loop that lie at equal distances known at run time are a chain, across iterations too: one
// addition each and no index. Where a 32-bit index may wrap around, or distances are no equal ones, all stays.
// RUN: %compile %s -t cuda:sm_90 --emit ptx --coarsening 1 -o %t.ptx && FileCheck %s < %t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_90 %t.ptx -o %t.cubin %}
// RUN: %compile %s -t cpu -o %t.limg
// RUN: %lathe run %s -t cpu -k signedIndex --grid 1 --group 4 --arg iota:f32[64] --arg zeros:f32[4] --arg 9 --arg 4 --print 1 | FileCheck %s --check-prefix=RUNS
// RUNS: 144 153 162 171

// CHECK-LABEL: entry signedIndex(
// CHECK:      $L__BB0_[[LOOP:[0-9]+]]:
// CHECK-NEXT: ld.global.b32 {{.*}}, [%rd[[P:[0-9]+]]];
// CHECK-NEXT: add.f32
// CHECK-NEXT: add.s64 %rd[[P1:[0-9]+]], %rd[[P]], %rd[[N:[0-9]+]];
// CHECK-NEXT: ld.global.b32 {{.*}}, [%rd[[P1]]];
// CHECK-NEXT: add.f32
// CHECK-NEXT: add.s64 %rd[[P2:[0-9]+]], %rd[[P1]], %rd[[N]];
// CHECK-NEXT: ld.global.b32 {{.*}}, [%rd[[P2]]];
// CHECK-NEXT: add.f32
// CHECK-NEXT: add.s64 %rd[[P3:[0-9]+]], %rd[[P2]], %rd[[N]];
// CHECK-NEXT: ld.global.b32 {{.*}}, [%rd[[P3]]];
// CHECK-NEXT: add.f32
// CHECK-NEXT: add.s32
// CHECK-NEXT: add.s64 %rd[[P]], %rd[[P3]], %rd[[N]];
// CHECK-NEXT: setp
// CHECK-NEXT: bra $L__BB0_[[LOOP]];
extern "C" __global__ void signedIndex(const float* a, float* out, int rows, int n) {
  int column = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < rows; k++) sum += a[k * n + column];
  out[column] = sum;
}

// CHECK-LABEL: entry wideIndex(
// CHECK:      $L__BB1_[[LOOP:[0-9]+]]:
// CHECK:      ld.global.b64 {{.*}}, [%rd[[P:[0-9]+]]];
// CHECK:      add.s64 %rd[[P1:[0-9]+]], %rd[[P]], %rd[[N:[0-9]+]];
// CHECK:      ld.global.b64 {{.*}}, [%rd[[P1]]];
// CHECK:      add.s64 %rd[[P]], %rd{{[0-9]+}}, %rd[[N]];
// CHECK:      bra $L__BB1_[[LOOP]];
extern "C" __global__ void wideIndex(const double* a, double* out, size_t rows, size_t n) {
  double sum = 0;
  for (size_t k = 0; k < rows; k++) sum += a[k * n + threadIdx.x];
  out[threadIdx.x] = sum;
}

// CHECK-LABEL: entry widened(
// CHECK:      $L__BB2_[[LOOP:[0-9]+]]:
// CHECK:      add.s64 %rd[[P:[0-9]+]], %rd{{[0-9]+}}, %rd[[N:[0-9]+]];
// CHECK:      add.s64 %rd[[P1:[0-9]+]], %rd[[P]], %rd[[N]];
// CHECK:      bra $L__BB2_[[LOOP]];
extern "C" __global__ void widened(const float* a, float* out, int rows, size_t n) {
  float sum = 0;
  for (int k = 0; k < rows; k++) sum += a[k * n + threadIdx.x];
  out[threadIdx.x] = sum;
}

// CHECK-LABEL: entry wrapsAround(
// CHECK:      $L__BB3_[[LOOP:[0-9]+]]:
// CHECK:      mul.wide.u32
// CHECK:      bra $L__BB3_[[LOOP]];
extern "C" __global__ void wrapsAround(const float* a, float* out, unsigned rows, unsigned n) {
  float sum = 0;
  for (unsigned k = 0; k < rows; k++) sum += a[k * n + threadIdx.x];
  out[threadIdx.x] = sum;
}

// One branch decides behind the odd iterations whether there are four more: the loop has no block of its own before it.
// CHECK-LABEL: entry fromTheMiddle(
// CHECK:      .pragma "nounroll"
// CHECK:      setp.gt.u64
// CHECK:      $L__BB4_[[LOOP:[0-9]+]]:
// CHECK:      ld.global.nc.b32 {{.*}}, [%rd[[P:[0-9]+]]];
// CHECK:      add.s64 %rd[[P1:[0-9]+]], %rd[[P]], %rd[[N:[0-9]+]];
// CHECK:      ld.global.nc.b32 {{.*}}, [%rd[[P1]]];
// CHECK:      add.s64 %rd[[P]], %rd{{[0-9]+}}, %rd[[N]];
// CHECK:      bra $L__BB4_[[LOOP]];
extern "C" __global__ void fromTheMiddle(const float* __restrict__ a, const float* __restrict__ b, float* out, size_t rows,
                                         size_t n, size_t m) {
  float sum = 0;
  for (size_t k = threadIdx.x; k < rows; k++) sum += a[k * n + blockIdx.x] * b[k * m + blockIdx.x];
  out[threadIdx.x] = sum;
}
