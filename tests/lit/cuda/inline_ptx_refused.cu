// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline PTX that has no translation is refused off NVIDIA's GPUs with its line, the instruction and a way out, all of a
// file at once. Behind a branch that is dead there it harms nobody.
// RUN: not %compile %s -t cpu -o %t.limg 2>&1 | FileCheck %s
// RUN: not %compile %s -t amdgpu:gfx1100 -o %t.limg 2>&1 | FileCheck %s
// RUN: %compile %s -DGUARDED -t cpu -o %t.limg
#ifdef GUARDED
#define WANTED __lathe_target_is("cuda")
#else
#define WANTED true
#endif
#define REFUSED(name, ...)                                                                         \
  __global__ void name(unsigned* p, unsigned a, unsigned long long w, float x, unsigned short h) { \
    unsigned d;                                                                                    \
    if (WANTED) {                                                                                  \
      asm volatile(__VA_ARGS__);                                                                   \
      *p = d;                                                                                      \
    }                                                                                              \
  }
// CHECK: inline_ptx_refused.cu:[[#@LINE+1]]:{{.*}}'wgmma.fence.sync.aligned' has no translation on
REFUSED(fences, "wgmma.fence.sync.aligned; mov.u32 %0, 0;" : "=r"(d))
// CHECK: inline_ptx_refused.cu:[[#@LINE+1]]:{{.*}}'mbarrier.init.shared.b64' has no translation on
REFUSED(transfer, "mbarrier.init.shared.b64 [%1], 1; mov.u32 %0, 0;" : "=r"(d) : "r"(a))
// CHECK: inline_ptx_refused.cu:[[#@LINE+1]]:{{.*}}'ldmatrix.sync.aligned.m8n16.x1.shared.b8x16.b6x16_p32': this form has no translation on
REFUSED(matrix, "ldmatrix.sync.aligned.m8n16.x1.shared.b8x16.b6x16_p32 {%0}, [%1];" : "=r"(d) : "r"(a))
// CHECK: inline_ptx_refused.cu:[[#@LINE+1]]:{{.*}}'ldmatrix.sync.aligned.m8n8.x2.shared.b16': this form has no translation on
REFUSED(registers, "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0}, [%1];" : "=r"(d) : "r"(a))
// CHECK: inline_ptx_refused.cu:[[#@LINE+2]]:{{.*}}'mma.sync.aligned.m16n8k32.row.col.f32.e2m1.e2m1.f32': this form has no translation on
// CHECK: multiply by nvcuda::wmma
REFUSED(product, "mma.sync.aligned.m16n8k32.row.col.f32.e2m1.e2m1.f32 {%0,%0,%0,%0}, {%1,%1,%1,%1}, {%1,%1}, {%0,%0,%0,%0};" : "=r"(d) : "r"(a))
// CHECK: inline_ptx_refused.cu:[[#@LINE+1]]:{{.*}}'mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32': a matrix has another number of registers on
REFUSED(fewer, "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%0,%0,%0}, {%1,%1}, {%1,%1}, {%0,%0,%0,%0};" : "=r"(d) : "r"(a))
// CHECK: inline_ptx_refused.cu:[[#@LINE+1]]:{{.*}}'add.rz.f32': '.rz' has no translation here on
REFUSED(rounding, "{ .reg .f32 t; add.rz.f32 t, %1, %1; mov.b32 %0, t; }" : "=r"(d) : "f"(x))
// CHECK: inline_ptx_refused.cu:[[#@LINE+2]]:{{.*}}'bar.sync': barriers of a part of the group
// CHECK: a group has one barrier here
REFUSED(part, "bar.sync 1, 64; mov.u32 %0, 0;" : "=r"(d))
// CHECK: inline_ptx_refused.cu:[[#@LINE+1]]:{{.*}}'addc.u32': no statement before has left a carry on
REFUSED(carry, "addc.u32 %0, %1, %1;" : "=r"(d) : "r"(a))
// CHECK: inline_ptx_refused.cu:[[#@LINE+1]]:{{.*}}'add.u32': an operand has 64 bits, where the instruction takes 32 on
REFUSED(wide, "add.u32 %0, %1, 1;" : "=r"(d) : "l"(w))
// CHECK: inline_ptx_refused.cu:[[#@LINE+1]]:{{.*}}'mov.u64': the result has 64 bits, and its register 32 on
REFUSED(narrow, "mov.u64 %0, %1;" : "=r"(d) : "l"(w))
// CHECK: inline_ptx_refused.cu:[[#@LINE+1]]:{{.*}}'mov.u32': the register '%gridid' is unknown, or has no counterpart here on
REFUSED(special, "mov.u32 %0, %%gridid;" : "=r"(d))
// CHECK: inline_ptx_refused.cu:[[#@LINE+1]]:{{.*}}'bra': no label 'NOWHERE' stands in the statement on
REFUSED(jump, "bra NOWHERE; mov.u32 %0, 0;" : "=r"(d))
// CHECK: inline_ptx_refused.cu:[[#@LINE+1]]:{{.*}}inline PTX with two labels 'L' on
REFUSED(labels, "L: mov.u32 %0, 0; L:" : "=r"(d))
// CHECK: inline_ptx_refused.cu:[[#@LINE+1]]:{{.*}}'bfe.u32': it has 3 operands on
REFUSED(count, "bfe.u32 %0, %1, 3;" : "=r"(d) : "r"(a))
// CHECK: inline_ptx_refused.cu:[[#@LINE+1]]:{{.*}}'lop3.b32': its table is no number from 0 to 255 on
REFUSED(table, "lop3.b32 %0, %1, %1, %1, %1;" : "=r"(d) : "r"(a))
// CHECK: inline_ptx_refused.cu:[[#@LINE+1]]:{{.*}}'ld.global.u32': an address of 32 bits on
REFUSED(address, "ld.global.u32 %0, [%1];" : "=r"(d) : "r"(a))
// CHECK: inline_ptx_refused.cu:[[#@LINE+1]]:{{.*}}'ld.param.u32': '.param' has no translation here on
REFUSED(space, "ld.param.u32 %0, [%1];" : "=r"(d) : "l"(w))
// CHECK: inline_ptx_refused.cu:[[#@LINE+1]]:{{.*}}'selp.u32': an operand is no predicate on
REFUSED(predicate, "selp.u32 %0, 1, 0, %1;" : "=r"(d) : "r"(a))
// CHECK: inline_ptx_refused.cu:[[#@LINE+1]]:{{.*}}inline PTX that lacks ';' at its end on
REFUSED(unended, "mov.u32 %0, 1" : "=r"(d))
// CHECK: inline_ptx_refused.cu:[[#@LINE+1]]:{{.*}}inline PTX that ends within a block on
REFUSED(open, "{ mov.u32 %0, 1;" : "=r"(d))
// CHECK: inline_ptx_refused.cu:[[#@LINE+1]]:{{.*}}inline PTX that closes a block that it did not open on
REFUSED(closed, "mov.u32 %0, 1; }" : "=r"(d))
// CHECK: inline_ptx_refused.cu:[[#@LINE+1]]:{{.*}}inline PTX that declares too many registers on
REFUSED(many, "{ .reg .b32 r<4000000000>; mov.u32 %0, 1; }" : "=r"(d))
// CHECK: inline_ptx_refused.cu:[[#@LINE+1]]:{{.*}}inline PTX that has the directive '.shared' on
REFUSED(directive, ".shared .b32 s; mov.u32 %0, 1;" : "=r"(d))
// CHECK: inline_ptx_refused.cu:[[#@LINE+1]]:{{.*}}inline PTX that lacks a number before '0x' on
REFUSED(number, "mov.u32 %0, 0x;" : "=r"(d))
// CHECK: inline_ptx_refused.cu:[[#@LINE+1]]:{{.*}}inline PTX that lacks ']' before ';' on
REFUSED(bracket, "ld.global.u32 %0, [%1;" : "=r"(d) : "l"(w))
