// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline PTX of the kind that public CUDA code has: natively on NVIDIA GPUs, translated everywhere else.
#define PUT(text, constraint, ...)                         \
  {                                                        \
    unsigned d;                                            \
    asm(text : "=r"(d) : constraint(a), __VA_ARGS__);      \
    out[f++ * n + i] = d;                                  \
  }
#define TWO(text) PUT(text, "r", "r"(b))
#define THREE(text) PUT(text, "r", "r"(b), "r"(c))

__global__ void integers(unsigned n, const unsigned* x, const unsigned* y, const unsigned* z, unsigned* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned a = x[i], b = y[i], c = z[i];
  unsigned f = 0;
  THREE("shf.l.wrap.b32 %0, %1, %2, %3;")
  THREE("shf.r.wrap.b32 %0, %1, %2, %3;")
  THREE("shf.l.clamp.b32 %0, %1, %2, %3;")
  THREE("shf.r.clamp.b32 %0, %1, %2, %3;")
  THREE("prmt.b32 %0, %1, %2, %3;")
  THREE("prmt.b32.f4e %0, %1, %2, %3;")
  THREE("prmt.b32.b4e %0, %1, %2, %3;")
  THREE("prmt.b32.rc8 %0, %1, %2, %3;")
  THREE("prmt.b32.ecl %0, %1, %2, %3;")
  THREE("prmt.b32.ecr %0, %1, %2, %3;")
  THREE("prmt.b32.rc16 %0, %1, %2, %3;")
  THREE("bfe.u32 %0, %1, %2, %3;")
  THREE("bfe.s32 %0, %1, %2, %3;")
  THREE("bfi.b32 %0, %1, %2, %3, 7;")
  THREE("bfi.b32 %0, %1, %2, 5, %3;")
  TWO("bfind.u32 %0, %1;")
  TWO("bfind.s32 %0, %1;")
  TWO("bfind.shiftamt.u32 %0, %1;")
  TWO("brev.b32 %0, %1;")
  TWO("clz.b32 %0, %1;")
  TWO("popc.b32 %0, %1;")
  THREE("lop3.b32 %0, %1, %2, %3, 0xe8;")
  THREE("lop3.b32 %0, %1, %2, %3, 0x96;")
  THREE("lop3.b32 %0, %1, %2, %3, 0x1b;")
  THREE("mad.lo.u32 %0, %1, %2, %3;")
  THREE("mad.hi.s32 %0, %1, %2, %3;")
  TWO("mul.hi.u32 %0, %1, %2;")
  TWO("mul24.lo.u32 %0, %1, %2;")
  TWO("mul24.hi.s32 %0, %1, %2;")
  THREE("sad.s32 %0, %1, %2, %3;")
  TWO("add.sat.s32 %0, %1, %2;")
  TWO("min.s32 %0, %1, %2;")
  TWO("max.u32 %0, %1, %2;")
  TWO("shl.b32 %0, %1, %2;")
  TWO("shr.s32 %0, %1, %2;")
  TWO("cnot.b32 %0, %1;")
  // Predicates, blocks and registers of the statement's own.
  THREE("{\n .reg .pred p, q;\n setp.lt.s32 p|q, %1, %2;\n selp.b32 %0, %1, %3, p;\n @q xor.b32 %0, %0, -1;\n}")
  THREE("{ .reg .b32 t<2>; and.b32 t0, %1, %2; /* twice */ { .reg .b32 t1; not.b32 t1, t0; or.b32 t0, t1, %3; }\n"
        " mov.b32 %0, t0; } // done")
  THREE("{ .reg .pred p; mov.u32 %0, 0; again: add.u32 %0, %0, %1; setp.lt.u32 p, %0, 2048; setp.ne.and.u32 p, %1, 0, p;\n"
        "  @!p bra done; bra again; done: }")
  // A product of 64 bits and a sum of 96 by carries.
  unsigned long long wide;
  asm("mul.wide.s32 %0, %1, %2;" : "=l"(wide) : "r"(a), "r"(b));
  out[f++ * n + i] = static_cast<unsigned>(wide >> 32);
  asm("mad.wide.u32 %0, %1, %2, %0;" : "+l"(wide) : "r"(b), "r"(c));
  out[f++ * n + i] = static_cast<unsigned>(wide >> 32) ^ static_cast<unsigned>(wide);
  unsigned r0 = a, r1 = b, r2 = c;
  asm("add.cc.u32 %0, %0, %3;\n\taddc.cc.u32 %1, %1, %4;\n\taddc.u32 %2, %2, %5;"
      : "+r"(r0), "+r"(r1), "+r"(r2) : "r"(b), "r"(c), "r"(a));
  out[f++ * n + i] = r0 ^ r1 ^ r2;
  asm("sub.cc.u32 %0, %0, %3;\n\tsubc.cc.u32 %1, %1, %4;\n\tsubc.u32 %2, %2, %5;"
      : "+r"(r0), "+r"(r1), "+r"(r2) : "r"(c), "r"(a), "r"(b));
  out[f++ * n + i] = r0 ^ r1 ^ r2;
  asm("mad.lo.cc.u32 %0, %2, %3, %0;\n\tmadc.hi.u32 %1, %2, %3, %1;" : "+r"(r0), "+r"(r1) : "r"(a), "r"(c));
  out[f++ * n + i] = r0 ^ r1;
  // Registers that are halves of others.
  asm("mov.b64 {%0, %1}, %2;" : "=r"(r0), "=r"(r1) : "l"(wide));
  asm("mov.b64 %0, {%1, %2};" : "=l"(wide) : "r"(r1), "r"(r0));
  out[f++ * n + i] = r0 - static_cast<unsigned>(wide);
  // Numbers: whole ones saturate, halves of pairs lie in order.
  const float p = static_cast<int>(a) * 0x1p-20f, q = static_cast<int>(b) * 0x1p-24f;
  asm("cvt.rni.s32.f32 %0, %1;" : "=r"(r0) : "f"(p));
  asm("cvt.rzi.u32.f32 %0, %1;" : "=r"(r1) : "f"(p));
  asm("cvt.sat.s8.s32 %0, %1;" : "=r"(r2) : "r"(a));
  out[f++ * n + i] = r0;
  out[f++ * n + i] = r1;
  out[f++ * n + i] = r2;
  float sum;
  asm("fma.rn.f32 %0, %1, %2, 0f3F800000;" : "=f"(sum) : "f"(p), "f"(q));
  out[f++ * n + i] = __float_as_uint(sum);
  asm("{ .reg .f32 t; mul.rn.f32 t, %1, %2; max.f32 %0, t, -0.5; }" : "=f"(sum) : "f"(p), "f"(q));
  out[f++ * n + i] = __float_as_uint(sum);
}

__global__ void warps(const unsigned* in, unsigned* out) {
  const unsigned thread = threadIdx.x, threads = blockDim.x;
  unsigned f = 0, value = in[thread], got, inside;
  const auto put = [&](unsigned x) { out[f++ * threads + thread] = x; };
#define SHUFFLE(mode, by, clamp)                                                                            \
  asm volatile("{ .reg .pred p; shfl.sync." mode ".b32 %0|p, %2, " by ", " clamp ", 0xffffffff; selp.u32 %1, 1, 0, p; }" \
               : "=r"(got), "=r"(inside) : "r"(value));                                                     \
  put(got), put(inside);
  SHUFFLE("up", "3", "0")
  SHUFFLE("up", "5", "0x1800")
  SHUFFLE("down", "2", "0x1f")
  SHUFFLE("down", "9", "0x101f")
  SHUFFLE("bfly", "5", "0x1f")
  SHUFFLE("bfly", "6", "0x1c1f")
  SHUFFLE("idx", "7", "0x1f")
  SHUFFLE("idx", "21", "0x181f")
  SHUFFLE("down", "4", "0x13")
  asm volatile("{ .reg .pred p; setp.gt.u32 p, %1, 99; vote.sync.ballot.b32 %0, p, -1; }" : "=r"(got) : "r"(value));
  put(got);
  asm volatile("{ .reg .pred p, q; setp.lt.u32 p, %1, 400; vote.sync.all.pred q, p, -1; selp.b32 %0, 1, 0, q; }"
               : "=r"(got) : "r"(value));
  put(got);
  asm volatile("activemask.b32 %0;" : "=r"(got));
  put(got);
  asm("mov.u32 %0, %laneid;" : "=r"(got));
  put(got);
  asm("{ .reg .b32 t; mov.u32 t, %%lanemask_lt; mov.u32 %0, %%lanemask_ge; mad.lo.u32 %0, t, 3, %0; }" : "=r"(got));
  put(got);
  asm("{ .reg .u32 g, n; mov.u32 g, %ctaid.x; mov.u32 n, %ntid.x; mov.u32 %0, %tid.x; mad.lo.u32 %0, g, n, %0; }" : "=r"(got));
  put(got);
}

__global__ void memory(const unsigned* in, unsigned* out, unsigned* counters) {
  __shared__ __align__(16) unsigned tile[256];
  const unsigned thread = threadIdx.x;
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(&tile[thread * 2]));
  const unsigned start = static_cast<unsigned>(__cvta_generic_to_shared(tile));
  unsigned a, b, c, d;
  asm volatile("ld.global.nc.v2.u32 {%0, %1}, [%2+8];" : "=r"(a), "=r"(b) : "l"(in + thread * 4));
  asm volatile("st.shared.v2.b32 [%0], {%1, %2};" :: "r"(at), "r"(a), "r"(b) : "memory");
  asm volatile("bar.sync 0;" ::: "memory");
  asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "l"(static_cast<unsigned long long>(start + (thread % 32) * 16)) : "memory");
  asm volatile("st.global.cs.u32 [%0], %1;" :: "l"(out + thread), "r"(a ^ b << 1 ^ c << 2 ^ d << 3) : "memory");
  unsigned byte;
  asm volatile("ld.global.cg.u8 %0, [%1];" : "=r"(byte) : "l"(reinterpret_cast<const unsigned char*>(in) + thread * 3));
  asm volatile("{ .reg .pred odd; .reg .b32 t; and.b32 t, %1, 1; setp.eq.u32 odd, t, 1; @odd red.global.add.u32 [%0], %2; }"
               :: "l"(counters), "r"(thread), "r"(byte) : "memory");
  asm volatile("atom.global.max.s32 %0, [%1+4], %2;" : "=r"(a) : "l"(counters), "r"(in[thread]) : "memory");
  asm volatile("red.relaxed.gpu.global.add.u32 [%0], 2;" :: "l"(counters + 2) : "memory");
  asm volatile("membar.gl;" ::: "memory");
  asm volatile("" : "+r"(byte));
  out[128 + thread] = byte;
#if __CUDA_ARCH__ >= 800
  asm volatile("bar.sync 0;\n\tcp.async.ca.shared.global [%0], [%1], 8;\n\tcp.async.commit_group;\n\tcp.async.wait_group 0;\n\tbar.sync 0;"
               :: "r"(at), "l"(in + thread * 2) : "memory");
#else
  __syncthreads();
  tile[thread * 2] = in[thread * 2], tile[thread * 2 + 1] = in[thread * 2 + 1];
  __syncthreads();
#endif
  out[256 + thread] = tile[255 - thread * 2];
}

/// The carry flag from one statement to another: statements that add and read it in themselves leave theirs.
__global__ void carries(const unsigned* in, unsigned* out) {
  const unsigned a = in[2 * threadIdx.x], b = in[2 * threadIdx.x + 1];
  unsigned* const row = out + 5 * threadIdx.x;
  asm volatile("add.cc.u32 %0, %1, %2;" : "=r"(row[0]) : "r"(a), "r"(b));
  asm volatile("{\n\tadd.cc.u32 %0, %2, %2;\n\taddc.u32 %1, 0, 0;\n\t}" : "=r"(row[1]), "=r"(row[2]) : "r"(b));
  asm volatile("addc.u32 %0, 0, 0;" : "=r"(row[3]));
  asm volatile("addc.u32 %0, %1, 0;" : "=r"(row[4]) : "r"(a));
}
