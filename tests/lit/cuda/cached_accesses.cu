// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads and stores with a cache operator are the instructions that CUDA's own headers write, for every type that those
// take; where nvcc is installed it is asked. A loop that waits with __ldcv stays, and so does each of two loads.
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx
// RUN: FileCheck %s < %t.ptx
// RUN: FileCheck %s --check-prefix=SPIN < %t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_80 %t.ptx -o %t.cubin %}
// RUN: %compile %s -t cuda:sm_90 --emit ptx -o %t.90.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_90 %t.90.ptx -o %t.cubin %}
// RUN: %if nvcc %{ %nvcc -ptx -arch=sm_80 %s -o %t.nvcc.ptx && %python %S/../Inputs/compare_ptx.py %t.ptx %t.nvcc.ptx "(ld|st)\.global\.(nc|c[agsv]|lu|w[bt])[.\w]*" %}
// RUN: rm -rf %t.spirv
// RUN: %dump-after simplify -t spirv --dump-dir %t.spirv && FileCheck %s --check-prefix=ELSEWHERE < %t.spirv/*simplify.ll
// CHECK-LABEL: .entry ld_schar
// CHECK: ld.global.nc.b8
// CHECK: ld.global.ca.s8
// CHECK: ld.global.cg.s8
// CHECK: ld.global.cs.s8
// CHECK: ld.global.lu.s8
// CHECK: ld.global.cv.s8
// CHECK: st.global.wb.s8
// CHECK: st.global.cg.s8
// CHECK: st.global.cs.s8
// CHECK: st.global.wt.s8
// CHECK-LABEL: .entry ld_uint4
// CHECK: ld.global.nc.v4.u32
// CHECK: ld.global.ca.v4.u32
// CHECK: st.global.wt.v4.u32
// CHECK-LABEL: .entry ld_double2
// CHECK: ld.global.nc.v2.f64
// CHECK: ld.global.cv.v2.f64
// CHECK: st.global.cs.v2.f64
// SPIN-LABEL: .entry spin
// SPIN: [[LOOP:\$L[_0-9A-Z]+]]:
// SPIN: ld.global.cv.s32
// SPIN: bra {{.*}}[[LOOP]]
// SPIN-COUNT-2: ld.global.cv.s32
// SPIN: ld.global.lu.s32
// SPIN: ld.global.cg.s32
// SPIN-COUNT-2: st.global.wt.s32
// ELSEWHERE-LABEL: @spin(
// ELSEWHERE: [[LOOP:while\.cond[0-9.]*]]:
// ELSEWHERE: load volatile i32
// ELSEWHERE: br i1 {{.*}}%[[LOOP]]
// ELSEWHERE-COUNT-4: load volatile i32
// ELSEWHERE-COUNT-2: store volatile i32
#define ACCESSES(type, name)                                               \
  extern "C" __global__ void ld_##name(const type* from, type* to) {       \
    to[0] = __ldg(from);                                                   \
    to[1] = __ldca(from + 1);                                              \
    to[2] = __ldcg(from + 2);                                              \
    to[3] = __ldcs(from + 3);                                              \
    to[4] = __ldlu(from + 4);                                              \
    to[5] = __ldcv(from + 5);                                              \
    __stwb(to + 6, from[6]);                                               \
    __stcg(to + 7, from[7]);                                               \
    __stcs(to + 8, from[8]);                                               \
    __stwt(to + 9, from[9]);                                               \
  }
#define ACCESSES_TO(type) ACCESSES(type, type)
#define ACCESSES_TO_VECTORS(type) ACCESSES_TO(type##2) ACCESSES_TO(type##4)
ACCESSES_TO(char)
ACCESSES(signed char, schar)
ACCESSES_TO(short)
ACCESSES_TO(int)
ACCESSES_TO(long)
ACCESSES(long long, longlong)
ACCESSES(unsigned char, uchar)
ACCESSES(unsigned short, ushort)
ACCESSES(unsigned, uint)
ACCESSES(unsigned long, ulong)
ACCESSES(unsigned long long, ulonglong)
ACCESSES_TO(float)
ACCESSES_TO(double)
ACCESSES_TO_VECTORS(char)
ACCESSES_TO_VECTORS(uchar)
ACCESSES_TO_VECTORS(short)
ACCESSES_TO_VECTORS(ushort)
ACCESSES_TO_VECTORS(int)
ACCESSES_TO_VECTORS(uint)
ACCESSES_TO_VECTORS(float)
ACCESSES_TO(longlong2)
ACCESSES_TO(ulonglong2)
ACCESSES_TO(double2)

extern "C" __global__ void spin(int* p) {
  while (__ldcv(p) == 0) {
  }
  p[1] = __ldcv(p + 2) + __ldcv(p + 2);
  (void)__ldlu(p + 3);
  (void)__ldcg(p + 3);
  __stwt(p + 5, 2);
  __stwt(p + 5, 3);
}
