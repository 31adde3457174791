// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Some bits of floating-point numbers: NVIDIA's assembler up to 13.0 stores integers of their values from a register that
// an instruction for floating-point numbers wrote, if that has no type of its own.
// RUN: %compile %s -t cuda:sm_90 --emit ptx -o %t.ptx && FileCheck %s < %t.ptx
// RUN: %compile %s -t cuda:sm_90 -O 0 --emit ptx -o - | FileCheck %s --check-prefix=PLAIN
// PLAIN: mov.b32 [[U:%r[0-9]+]], %r{{[0-9]+}};
// PLAIN-NEXT: st.b8 [{{.*}}], [[U]];
struct __attribute__((packed)) Packed {
  char tag;
  float number;
};
// CHECK-LABEL: .entry parts(
// CHECK: mul.f32 [[F:%r[0-9]+]]
// CHECK: mov.b32 [[U:%r[0-9]+]], [[F]];
// CHECK-NEXT: st.global.b8 [{{.*}}], [[U]];
// CHECK: mov.b64 [[H:%rd[0-9]+]], %rd{{[0-9]+}};
// CHECK-NEXT: st.global.b16 [{{.*}}], [[H]];
// CHECK: mov.b64 [[W:%rd[0-9]+]], %rd{{[0-9]+}};
// CHECK-NEXT: st.global.b32 [{{.*}}], [[W]];
extern "C" __global__ void parts(const float* in, const double* wide, unsigned char* bytes, unsigned short* halves,
                                 unsigned* words, Packed* packed) {
  const int i = threadIdx.x;
  const float number = in[i] * 3;
  bytes[i] = static_cast<unsigned char>(__float_as_uint(number));
  halves[i] = static_cast<unsigned short>(__double_as_longlong(wide[i] + 1));
  words[i] = static_cast<unsigned>(__double_as_longlong(wide[i] * 5));
  packed[i].number = number + 2;
}
// CHECK-LABEL: .entry assembly(
// CHECK: mul.f32 [[F:%r[0-9]+]]
// CHECK: mov.b32 [[U:%r[0-9]+]], [[F]];
// CHECK: st.global.u8 [{{.*}}], [[U]];
extern "C" __global__ void assembly(const float* in, unsigned char* bytes) {
  const float number = in[threadIdx.x] * 3;
  asm volatile("st.global.u8 [%0], %1;" ::"l"(bytes + threadIdx.x), "r"(__float_as_uint(number)) : "memory");
}
