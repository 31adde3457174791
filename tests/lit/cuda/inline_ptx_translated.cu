// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline PTX as stage assembly translates it: instructions of LLVM and entries of the device ABI. For NVIDIA's GPUs, and
// in portable images, the statement stays.
// RUN: %dump-after assembly -t cpu -O 0 2>&1 | FileCheck %s
// RUN: %dump-after assembly -t cuda:sm_80 -O 0 2>&1 | FileCheck %s --check-prefix=STAYS
// RUN: %compile %s --emit portable -o %t.limg
// RUN: %lathe compile %t.limg -t cpu -o %t.cpu.limg
// RUN: %lathe compile %t.limg -t cuda:sm_80 --emit ptx -o %t.ptx
// RUN: FileCheck %s --check-prefix=PTX < %t.ptx
// STAYS: call i32 asm "brev.b32 $0, $1;", "=r,r"
// PTX: brev.b32

// CHECK-LABEL: define void @_Z7reverse
// CHECK: call i32 @llvm.bitreverse.i32(
__global__ void reverse(unsigned* p) {
  asm("brev.b32 %0, %1;" : "=r"(p[0]) : "r"(p[1]));
}
// Volatile statements keep their accesses, whose cache operators are passed over; `.nc` is a promise.
// CHECK-LABEL: define void @_Z8accesses
// CHECK: load volatile i32, ptr %{{.*}}, align 4
// CHECK: load <4 x i32>, ptr %{{.*}}, align 16
// CHECK: store volatile i32 %{{.*}}, align 4
__global__ void accesses(unsigned* p) {
  unsigned a, b, c, d, e;
  asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(a) : "l"(p));
  asm volatile("ld.global.nc.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(b), "=r"(c), "=r"(d), "=r"(e) : "l"(p));
  asm volatile("st.global.wt.u32 [%0], %1;" ::"l"(p), "r"(a + b + c + d + e));
}
// CHECK-LABEL: define void @_Z5order
// CHECK: call void @__lathe_fence(i32 4, i32 0)
// CHECK: call i32 @__lathe_atomic_load_i32(ptr %{{.*}}, i32 1, i32 3)
// CHECK: call void @__lathe_fence(i32 4, i32 0)
// CHECK: call void @__lathe_atomic_store_i32(ptr %{{.*}}, i32 7, i32 2, i32 4)
// CHECK: call i64 @__lathe_atomic_umin_i64(ptr %{{.*}}, i64 9, i32 0, i32 3)
// CHECK: call void @__lathe_fence(i32 3, i32 2)
__global__ void order(unsigned* p, unsigned long long* q) {
  unsigned a;
  asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(a) : "l"(p) : "memory");
  asm volatile("st.release.sys.global.u32 [%0], 7;" ::"l"(p));
  asm volatile("red.global.min.u64 [%0], 9;" ::"l"(q));
  asm volatile("fence.acq_rel.cta;");
  *p = a;
}
// Copies of a part fill up with zeros.
// CHECK-LABEL: define void @_Z6copies
// CHECK: icmp uge i32 %{{.*}}, 16
// CHECK: call void @__lathe_async_copy_i128(
// CHECK: call void @__lathe_async_commit()
// CHECK: call void @__lathe_async_wait(i32 1)
__global__ void copies(const uint4* p, unsigned bytes, uint4* q) {
  __shared__ uint4 tile;
  const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(&tile));
  asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], %2, %3;" ::"r"(to), "l"(p), "n"(16), "r"(bytes));
  asm volatile("cp.async.commit_group;\ncp.async.wait_group %0;" ::"n"(1));
  *q = tile;
}
// What is written first shares no register with what is read after, as in nvcc's code; `true` is 1.
// CHECK-LABEL: define void @_Z5twice
// CHECK: store i32 1
// STAYS: "=&r,=&r,r,r"
__global__ void twice(unsigned* p) {
  unsigned low, high, one;
  asm("add.cc.u32 %0, %2, %2; addc.u32 %1, %3, %3;" : "=r"(low), "=r"(high) : "r"(p[0]), "r"(p[1]));
  asm volatile("mov.u32 %0, %1;" : "=r"(one) : "n"(sizeof(int) == 4));
  p[0] = low, p[1] = high, p[2] = one;
}
