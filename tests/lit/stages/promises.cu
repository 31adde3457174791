// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What launches promise is known to the optimiser: values, alignments, that pointers lead to different memory.
// RUN: %compile %s -t cuda:sm_90 -k sum --fix n=4 --fix 3=0.5 --pointer-align 16 --emit ptx -o - | FileCheck %s --check-prefix=SUM
// RUN: %compile %s -t cuda:sm_90 -k twice --emit ptx -o - | FileCheck %s --check-prefix=MAY
// RUN: %compile %s -t cuda:sm_90 -k twice --no-alias --emit ptx -o - | FileCheck %s --check-prefix=NO
// RUN: %compile %s -t cuda:sm_90 -k sum -k count --fix n=4 -o %t.limg
// RUN: %lathe inspect %t.limg --json | FileCheck %s --check-prefix=JSON

// The loop is gone, and four floats are one access.
// SUM-LABEL: .entry sum(
// SUM-NOT: bra
// SUM: ld.global.v4.b32
// SUM-NOT: {{ld.global|bra}}
// SUM: mul.f32 {{.*}}, 0f3F000000
// SUM: ret
extern "C" __global__ void sum(const float* in, float* out, int n, float scale) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float total = 0;
  for (int k = 0; k < n; ++k) total += in[i * n + k];
  out[i] = total * scale;
}

// MAY-COUNT-2: ld.global
// NO: ld.global.nc
// NO-NOT: ld.global
extern "C" __global__ void twice(const int* from, int* to) {
  to[threadIdx.x] = *from + 1;
  to[threadIdx.x + blockDim.x] = *from;
}

// Kernels without that parameter are as they were.
// JSON: "name": "sum"
// JSON: "name": "n"
// JSON: "fixed": [
// JSON-NEXT: 4
// JSON: "name": "count"
// JSON-NOT: "fixed": [{{$}}
extern "C" __global__ void count(int* out) {
  atomicAdd(out, 1);
}
