// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names in inline PTX with one percent sign, which nvcc takes as it does those with two: in kernels, templates, lambdas
// and functions of both sides. Operands with modifiers and other escapes are errors, as they are there.
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx && FileCheck %s < %t.ptx
// RUN: %if ptxas %{ %ptxas -arch=sm_80 %t.ptx -o %t.cubin %}
// RUN: not %compile %s -DESCAPE -t cuda:sm_80 -o %t.limg 2>&1 | FileCheck %s --check-prefix=ESCAPE
// RUN: not %compile %s -DMODIFIER -t cuda:sm_80 -o %t.limg 2>&1 | FileCheck %s --check-prefix=MODIFIER
// RUN: %compile %s -t cpu -o %t.limg
// CHECK-DAG: mov.u32 %r{{[0-9]+}}, %nsmid;
// CHECK-DAG: mov.u32 %r{{[0-9]+}}, %laneid; // %x %r
// CHECK-DAG: mov.u32 %r{{[0-9]+}}, %warpid;
// CHECK-DAG: mov.u32 %r{{[0-9]+}}, %smid;
// CHECK-DAG: mov.u32 %r{{[0-9]+}}, %nwarpid;
#define READ(name, to) asm("mov.u32 %0, %" #name ";" : "=r"(to))

template <class T>
struct Reads {
  __device__ static T lane() {
    T value;
    asm("mov.u32 %0, %laneid; // %%x %0" : "=r"(value));
    return value;
  }
  __device__ T warp() {
    T value;
    READ(warpid, value);
    return value;
  }
};

__host__ __device__ unsigned bothSides() {
  unsigned value;
  READ(nwarpid, value);
  return value;
}

__global__ void reads(unsigned* out) {
  unsigned processors;
  READ(nsmid, processors);
  const auto processor = [] {
    unsigned value;
    READ(smid, value);
    return value;
  };
  Reads<unsigned> own;
  out[threadIdx.x] = processors + processor() + own.lane() + own.warp() + bothSides();
}

#ifdef ESCAPE
// ESCAPE: inline_ptx_names.cu:[[#@LINE+3]]:{{.*}}error: invalid % escape in inline assembly string
__global__ void escapes(unsigned* out) {
  unsigned value;
  asm("mov.u32 %0, %laneid; // % x" : "=r"(value));
  *out = value;
}
#endif
#ifdef MODIFIER
// MODIFIER: inline_ptx_names.cu:[[#@LINE+3]]:{{.*}}error: invalid operand number in inline asm string
__global__ void modifiers(unsigned* out) {
  unsigned value;
  asm("{ .reg .u32 %r77; mov.u32 %0, 1; }" : "=r"(value));
  *out = value;
}
#endif
