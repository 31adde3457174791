// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies of structures between buffers move 16 bytes at once where memory is aligned for it, all loads first, and through
// the read-only cache where the kernel's parameters promise that nobody writes there, as nvcc's.
// RUN: %compile %s -t cuda:sm_90 --emit ptx -o %t.ptx && FileCheck %s < %t.ptx
// RUN: %compile %s -t cuda:sm_90 -O0 --emit ptx -o %t.0.ptx && FileCheck %s --check-prefix=NONE < %t.0.ptx
// RUN: %if nvcc %{ %nvcc -ptx -arch=sm_90 %s -o %t.nvcc.ptx && FileCheck %s --check-prefix=NVCC < %t.nvcc.ptx %}
// RUN: %lathe run %s -t cpu -k odd --grid 1 --group 4 --arg iota:i16[28] --arg zeros:i16[28] --print 1 | FileCheck %s --check-prefix=ODD
// NONE-NOT: ld.global.nc.v4
// CHECK-LABEL: .entry _Z4wide
// CHECK: ld.global.nc.v4.b32
// CHECK-NOT: st.global
// CHECK: ld.global.nc.v4.b32
// CHECK: st.global.v4.b32
// CHECK: st.global.v4.b32
// CHECK-LABEL: .entry _Z5words
// CHECK-COUNT-3: ld.global.nc.b32
// CHECK-NOT: ld.global
// CHECK-COUNT-3: st.global.b32
// CHECK-LABEL: .entry _Z3odd
// CHECK-NOT: ld.global.b
// CHECK: ld.global.nc.b16
// NVCC: ld.global.nc.v{{[24]}}
// Long ones too are written out, sixteen words at once, or copied so by a loop; bytes are never looped over.
// CHECK-LABEL: .entry _Z11written_out
// CHECK-COUNT-16: ld.global.b32
// CHECK-COUNT-16: st.global.b32
// CHECK-NOT: bra
// CHECK-LABEL: .entry _Z7cleared
// CHECK-COUNT-64: st.global.b32
// CHECK-LABEL: .entry _Z6looped
// CHECK-NOT: .b8
// CHECK: bra
// ODD: i16[28]: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
struct Wide {
  uint4 a, b;
};
__global__ void wide(const Wide* __restrict__ from, Wide* __restrict__ to) { to[threadIdx.x] = from[threadIdx.x]; }

struct Words {
  int a, b, c;
};
__global__ void words(const Words* __restrict__ from, Words* __restrict__ to) { to[threadIdx.x] = from[threadIdx.x]; }

struct Odd {
  short v[7];
};
__global__ void odd(const Odd* __restrict__ from, Odd* __restrict__ to) { to[threadIdx.x] = from[threadIdx.x]; }

struct Long {
  int v[64];
};
__global__ void written_out(const Long* from, Long* to) { to[threadIdx.x] = from[threadIdx.x]; }
__global__ void cleared(Long* to) { to[threadIdx.x] = Long{}; }

struct Longer {
  int v[1001];
};
__global__ void looped(const Longer* from, Longer* to) { to[threadIdx.x] = from[threadIdx.x]; }
