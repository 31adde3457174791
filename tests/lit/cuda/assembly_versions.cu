// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code has the oldest PTX that its architecture and its inline assembly permit.
// RUN: %compile %s -t cuda:sm_90 -k plain --emit ptx -o - | FileCheck %s --check-prefix=PLAIN
// RUN: %compile %s -t cuda:sm_90 -k bulk --emit ptx -o %t.ptx && FileCheck %s --check-prefix=BULK < %t.ptx
// RUN: %compile %s -t cuda:sm_90 -k fence --emit ptx -o %t.fence.ptx && FileCheck %s --check-prefix=BULK < %t.fence.ptx
// RUN: %compile %s -t cuda:sm_89 -k narrow --emit ptx -o %t.narrow.ptx && FileCheck %s --check-prefix=NARROW < %t.narrow.ptx
// RUN: %compile %s -t cuda:sm_80 -k sparse --emit ptx -o %t.sparse.ptx && FileCheck %s --check-prefix=SPARSE < %t.sparse.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_80 %t.sparse.ptx -o %t.cubin && %ptxas -arch=sm_90 %t.ptx -o %t.cubin && %ptxas -arch=sm_90 %t.fence.ptx -o %t.cubin && %ptxas -arch=sm_89 %t.narrow.ptx -o %t.cubin %}
// PLAIN: .version 8.3
__global__ void plain(unsigned* p) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(*p) : "memory");
}
// BULK: .version 8.6
__global__ void bulk(unsigned* p) {
  asm volatile("cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%0], [%1], 64, [%2];" ::"r"(p[0]), "l"(p),
               "r"(p[1])
               : "memory");
}
__global__ void fence(unsigned* p) {
  asm volatile("fence.acquire.cluster;" ::: "memory");
}
// NARROW: .version 8.4
__global__ void narrow(float* p, const unsigned* q) {
  asm volatile("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
               : "+f"(p[0]), "+f"(p[1]), "+f"(p[2]), "+f"(p[3])
               : "r"(q[0]), "r"(q[1]), "r"(q[2]), "r"(q[3]), "r"(q[4]), "r"(q[5]));
}
// SPARSE: .version 8.5
__global__ void sparse(float* p, const unsigned* q) {
  asm volatile("mma.sp::ordered_metadata.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6, %7}, {%0, %1, %2, %3}, %8, 0x0;"
               : "+f"(p[0]), "+f"(p[1]), "+f"(p[2]), "+f"(p[3])
               : "r"(q[0]), "r"(q[1]), "r"(q[2]), "r"(q[3]), "r"(q[4]));
}
