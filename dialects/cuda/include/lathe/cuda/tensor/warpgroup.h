// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix products of warpgroups (`wgmma`, sm_90a): four warps multiply tiles that lie in shared memory, beside what
// else they do. PTX ISA, "Asynchronous Warpgroup Level Matrix Multiply-Accumulate Instructions".
//
//   float sums[128];                                            // 64 × 256 of them over the warpgroup
//   lathe::cuda::warpgroup_arrive();
//   lathe::cuda::warpgroup_mma<__nv_bfloat16>(sums, tileA, tileB, /*accumulate=*/k != 0);
//   lathe::cuda::warpgroup_commit();
//   lathe::cuda::warpgroup_wait<0>();
#ifndef LATHE_CUDA_TENSOR_WARPGROUP_H
#define LATHE_CUDA_TENSOR_WARPGROUP_H

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

namespace lathe::cuda {

/// Before the first product, and before each that follows accesses to its registers by the threads.
__device__ __forceinline__ void warpgroup_arrive() {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}
/// Ends a batch of products.
__device__ __forceinline__ void warpgroup_commit() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
/// Waits until at most `batches` of the latest are unfinished.
template <int batches>
__device__ __forceinline__ void warpgroup_wait() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(batches) : "memory");
}

/// Gives registers of each thread of the warpgroup back, so that it has `count`: a multiple of 8 from 24 to 256.
template <int count>
__device__ __forceinline__ void warpgroup_give_registers() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(count));
}
/// Takes as many as others have given back; waits for them.
template <int count>
__device__ __forceinline__ void warpgroup_take_registers() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(count));
}

/// A matrix in shared memory whose rows run along the dimension that is summed over, with 128 bytes of each row side by
/// side in the order that the 128-byte swizzle of tile copies makes (CU_TENSOR_MAP_SWIZZLE_128B). It begins at a
/// multiple of 1,024 bytes.
class SwizzledTile {
 public:
  __device__ __forceinline__ explicit SwizzledTile(const void* rows)
      : bits_(static_cast<unsigned long long>(static_cast<unsigned>(__cvta_generic_to_shared(rows)) >> 4 & 0x3fff) |
              1ull << 16 | 64ull << 32 | 1ull << 62) {}
  /// The tile that begins `bytes` further along each row: 32 for the next product.
  __device__ __forceinline__ SwizzledTile along(unsigned bytes) const { return SwizzledTile(bits_ + (bytes >> 4)); }
  /// As the instruction takes it ("Matrix Descriptor").
  __device__ __forceinline__ unsigned long long bits() const { return bits_; }

 private:
  __device__ __forceinline__ explicit SwizzledTile(unsigned long long bits) : bits_(bits) {}
  unsigned long long bits_;
};

namespace detail {

#define LATHE_SUMS_4(c, i) c(sums[i]), c(sums[i + 1]), c(sums[i + 2]), c(sums[i + 3])
#define LATHE_SUMS_16(c, i) LATHE_SUMS_4(c, i), LATHE_SUMS_4(c, i + 4), LATHE_SUMS_4(c, i + 8), LATHE_SUMS_4(c, i + 12)
#define LATHE_SUMS_32(c) LATHE_SUMS_16(c, 0), LATHE_SUMS_16(c, 16)
#define LATHE_SUMS_64(c) LATHE_SUMS_32(c), LATHE_SUMS_16(c, 32), LATHE_SUMS_16(c, 48)
#define LATHE_SUMS_128(c) \
  LATHE_SUMS_64(c), LATHE_SUMS_16(c, 64), LATHE_SUMS_16(c, 80), LATHE_SUMS_16(c, 96), LATHE_SUMS_16(c, 112)
#define LATHE_NAMES_32                                                                                        \
  "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, " \
  "%23, %24, %25, %26, %27, %28, %29, %30, %31"
#define LATHE_NAMES_64                                                                                          \
  LATHE_NAMES_32                                                                                                \
  ", %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, " \
  "%53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
#define LATHE_NAMES_128                                                                                             \
  LATHE_NAMES_64                                                                                                    \
  ", %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, "     \
  "%85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103, %104, %105, " \
  "%106, %107, %108, %109, %110, %111, %112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, "    \
  "%124, %125, %126, %127"
/// Defines mma() for `count` sums of type Sum, in registers of kind `c`: m64n`columns``shape` of the `types`; the
/// operands behind the sums are `x`, `y`, `z`, and `rest` is what the instruction has behind the predicate.
#define LATHE_WARPGROUP_MMA(Left, Right, Sum, c, shape, types, rest, columns, count, x, y, z)                  \
  __device__ __forceinline__ void mma(Left, Right, Sum(&sums)[count], SwizzledTile left, SwizzledTile right,   \
                                      int accumulate) {                                                        \
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, " z ", 0;\nwgmma.mma_async.sync.aligned.m64n" columns shape \
                 "." types " {" LATHE_NAMES_##count "}, " x ", " y ", p" rest ";\n}"                           \
                 : LATHE_SUMS_##count(c)                                                                       \
                 : "l"(left.bits()), "l"(right.bits()), "r"(accumulate));                                      \
  }
#define LATHE_WARPGROUP_MMAS(Left, Right, Sum, c, shape, types, rest)                          \
  LATHE_WARPGROUP_MMA(Left, Right, Sum, c, shape, types, rest, "64", 32, "%32", "%33", "%34")  \
  LATHE_WARPGROUP_MMA(Left, Right, Sum, c, shape, types, rest, "128", 64, "%64", "%65", "%66") \
  LATHE_WARPGROUP_MMA(Left, Right, Sum, c, shape, types, rest, "256", 128, "%128", "%129", "%130")
LATHE_WARPGROUP_MMAS(__nv_bfloat16, __nv_bfloat16, float, "+f", "k16", "f32.bf16.bf16", ", 1, 1, 0, 0")
LATHE_WARPGROUP_MMAS(__half, __half, float, "+f", "k16", "f32.f16.f16", ", 1, 1, 0, 0")
LATHE_WARPGROUP_MMAS(float, float, float, "+f", "k8", "f32.tf32.tf32", ", 1, 1")
LATHE_WARPGROUP_MMAS(__nv_fp8_e4m3, __nv_fp8_e4m3, float, "+f", "k32", "f32.e4m3.e4m3", ", 1, 1")
LATHE_WARPGROUP_MMAS(__nv_fp8_e4m3, __nv_fp8_e5m2, float, "+f", "k32", "f32.e4m3.e5m2", ", 1, 1")
LATHE_WARPGROUP_MMAS(__nv_fp8_e5m2, __nv_fp8_e4m3, float, "+f", "k32", "f32.e5m2.e4m3", ", 1, 1")
LATHE_WARPGROUP_MMAS(__nv_fp8_e5m2, __nv_fp8_e5m2, float, "+f", "k32", "f32.e5m2.e5m2", ", 1, 1")
LATHE_WARPGROUP_MMAS(signed char, signed char, int, "+r", "k32", "s32.s8.s8", "")
LATHE_WARPGROUP_MMAS(signed char, unsigned char, int, "+r", "k32", "s32.s8.u8", "")
LATHE_WARPGROUP_MMAS(unsigned char, signed char, int, "+r", "k32", "s32.u8.s8", "")
LATHE_WARPGROUP_MMAS(unsigned char, unsigned char, int, "+r", "k32", "s32.u8.u8", "")
#undef LATHE_WARPGROUP_MMAS
#undef LATHE_WARPGROUP_MMA
#undef LATHE_NAMES_32
#undef LATHE_NAMES_64
#undef LATHE_NAMES_128
#undef LATHE_SUMS_4
#undef LATHE_SUMS_16
#undef LATHE_SUMS_32
#undef LATHE_SUMS_64
#undef LATHE_SUMS_128

}  // namespace detail

/// Adds the product of 64 rows of `left` and 2 × `count` rows of `right`, 32 bytes of each, to `sums`, or puts it there
/// if `accumulate` is false. Elements are __nv_bfloat16, __half, float (whose lower 13 bits count for nothing: TF32),
/// __nv_fp8_e4m3 or __nv_fp8_e5m2 with sums in float, signed or unsigned char with sums in int; fp8 of both kinds
/// mix, and bytes of both signs from PTX 8.4 on (`--features +ptx84`). `count` is 32, 64 or 128. Thread t of warp w of
/// the warpgroup has in sums[4 × j + 2 × h + i] the sum of row 16 × w + t / 4 + 8 × h and column 8 × j + 2 × (t % 4) +
/// i.
template <class Left, class Right = Left, class Sum, int count>
__device__ __forceinline__ void warpgroup_mma(Sum (&sums)[count], SwizzledTile left, SwizzledTile right,
                                              bool accumulate = true) {
  detail::mma(Left(), Right(), sums, left, right, accumulate);
}

}  // namespace lathe::cuda
#endif
