// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A structure as wide as a register is copied by one access, though some of its fields are changed on the way; one that
// memory is not aligned for stays as it is.
// RUN: %compile %s -t cuda -k changed -o %t.limg --dump-after small_copies 2> %t.copies
// RUN: FileCheck %s < %t.copies
// RUN: %compile %s -t cuda:sm_90 -k changed --emit ptx -o - | FileCheck %s --check-prefix=PTX
// RUN: %compile %s -t cuda -k loose -o %t.limg --dump-after small_copies 2> %t.loose
// RUN: FileCheck %s --check-prefix=LOOSE < %t.loose
// CHECK: load <4 x i32>, ptr %{{.*}}, align 16
// CHECK: load <2 x i64>, ptr %{{.*}}, align 16
// CHECK: load <4 x i8>, ptr %{{.*}}, align 4
// PTX: ld.global.v4.b32
// PTX-NOT: ld.global
// PTX: st.global.v4.b32
// PTX-NOT: st.global
// PTX: ld.global.v2.b64
// PTX-NOT: ld.global
// PTX: st.global.v2.b64
// PTX-NOT: st.global
// PTX: ld.global.b32
// PTX: st.global.b32
// LOOSE: call void @llvm.memcpy
// RUN: %compile %s -t cuda -k pairs -o %t.limg --dump-after small_copies 2> %t.pairs
// RUN: FileCheck %s --check-prefix=PAIRS < %t.pairs
// RUN: %compile %s -t cuda:sm_90 -k pairs --emit ptx -o - | FileCheck %s --check-prefix=PAIRS-PTX
// Eight bytes are two fields wherever they lie: InstCombine would make one integer of them, and of its fields shifts.
// PAIRS: load <2 x i32>, ptr %{{.*}}, align 4
// PAIRS-PTX-LABEL: .entry {{.*}}pairs
// PAIRS-PTX-NOT: or.b64
__global__ void changed(const float4* a, float4* b, const double2* c, double2* d, const uchar4* e, uchar4* f) {
  float4 x = a[threadIdx.x];
  x.x += 1;
  x.w *= 2;
  b[threadIdx.x] = x;
  double2 y = c[threadIdx.x];
  y.y = 0;
  d[threadIdx.x] = y;
  f[threadIdx.x] = e[threadIdx.x];
}

struct Loose {
  float x, y, z, w;
};
__global__ void loose(const Loose* a, Loose* b) { b[threadIdx.x] = a[threadIdx.x]; }

struct Pair {
  int key, value;
};
static __device__ void copy(Pair& to, const Pair& from) { to = from; }
__global__ void pairs(const int* a, Pair* b, int* c, int n) {
  Pair pair = {a[threadIdx.x], n};
  if (n & 1)
    copy(b[threadIdx.x], pair);
  else
    c[pair.key] = pair.value;
}
