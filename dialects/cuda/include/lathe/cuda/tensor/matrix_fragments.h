// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix products of warps as instructions (`mma.sync`, sm_80), and the accesses of shared memory that give threads
// their parts of a matrix (`ldmatrix` from sm_75, `stmatrix` from sm_90 on). Who holds what is in the PTX ISA, "Matrix
// Fragments for mma.m16n8k16" and its like; two elements of 16 bits, or four of 8, are one register. <mma.h> has tiles
// whose layout is nobody's business.
#ifndef LATHE_CUDA_TENSOR_MATRIX_FRAGMENTS_H
#define LATHE_CUDA_TENSOR_MATRIX_FRAGMENTS_H

#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace lathe::cuda {

/// Loads `count` (1, 2 or 4) matrices of 8 × 8 elements of 16 bits, each transposed if `transposed`. Thread 8 × i + r
/// gives in `row` the address of row r of matrix i, in shared memory, at a multiple of 16 bytes; thread t gets of each
/// the elements 2 × (t % 4) and the next of row t / 4.
template <bool transposed = false, int count>
__device__ __forceinline__ void load_matrices(unsigned (&parts)[count], const void* row) {
  static_assert(count == 1 || count == 2 || count == 4, "one, two or four matrices are loaded at once");
  const auto at = static_cast<unsigned>(__cvta_generic_to_shared(row));
  if constexpr (count == 1 && !transposed)
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(parts[0]) : "r"(at) : "memory");
  if constexpr (count == 1 && transposed)
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];" : "=r"(parts[0]) : "r"(at) : "memory");
  if constexpr (count == 2 && !transposed)
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                 : "=r"(parts[0]), "=r"(parts[1])
                 : "r"(at)
                 : "memory");
  if constexpr (count == 2 && transposed)
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                 : "=r"(parts[0]), "=r"(parts[1])
                 : "r"(at)
                 : "memory");
  if constexpr (count == 4 && !transposed)
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(parts[0]), "=r"(parts[1]), "=r"(parts[2]), "=r"(parts[3])
                 : "r"(at)
                 : "memory");
  if constexpr (count == 4 && transposed)
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(parts[0]), "=r"(parts[1]), "=r"(parts[2]), "=r"(parts[3])
                 : "r"(at)
                 : "memory");
}

/// Stores as many (1, 2 or 4) such matrices, each transposed if `transposed`.
template <bool transposed = false, int count>
__device__ __forceinline__ void store_matrices(void* row, const unsigned (&parts)[count]) {
  static_assert(count == 1 || count == 2 || count == 4, "one, two or four matrices are stored at once");
  const auto at = static_cast<unsigned>(__cvta_generic_to_shared(row));
  if constexpr (count == 1 && !transposed)
    asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(at), "r"(parts[0]) : "memory");
  if constexpr (count == 1 && transposed)
    asm volatile("stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 [%0], {%1};" ::"r"(at), "r"(parts[0]) : "memory");
  if constexpr (count == 2 && !transposed)
    asm volatile("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%0], {%1, %2};" ::"r"(at), "r"(parts[0]), "r"(parts[1])
                 : "memory");
  if constexpr (count == 2 && transposed)
    asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1, %2};" ::"r"(at), "r"(parts[0]),
                 "r"(parts[1])
                 : "memory");
  if constexpr (count == 4 && !transposed)
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(at), "r"(parts[0]),
                 "r"(parts[1]), "r"(parts[2]), "r"(parts[3])
                 : "memory");
  if constexpr (count == 4 && transposed)
    asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(at), "r"(parts[0]),
                 "r"(parts[1]), "r"(parts[2]), "r"(parts[3])
                 : "memory");
}

#define LATHE_FRAGMENT_MMA(name, sum, letter, text)                                                     \
  __device__ __forceinline__ void name(sum(&sums)[4], const unsigned (&a)[4], const unsigned (&b)[2]) { \
    asm("mma.sync.aligned." text " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"     \
        : "+" letter(sums[0]), "+" letter(sums[1]), "+" letter(sums[2]), "+" letter(sums[3])            \
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));                            \
  }
/// sums += A × B of 16 × 16 and 16 × 8 elements.
LATHE_FRAGMENT_MMA(mma_bf16, float, "f", "m16n8k16.row.col.f32.bf16.bf16.f32")
LATHE_FRAGMENT_MMA(mma_f16, float, "f", "m16n8k16.row.col.f32.f16.f16.f32")
/// sums += A × B of 16 × 8 and 8 × 8 floats, whose low 13 bits do not count.
LATHE_FRAGMENT_MMA(mma_tf32, float, "f", "m16n8k8.row.col.f32.tf32.tf32.f32")
/// sums += A × B of 16 × 32 and 32 × 8 bytes, signed or not.
LATHE_FRAGMENT_MMA(mma_s8, int, "r", "m16n8k32.row.col.s32.s8.s8.s32")
LATHE_FRAGMENT_MMA(mma_u8, int, "r", "m16n8k32.row.col.s32.u8.u8.s32")
/// The same of narrow floats, on NVIDIA's GPUs from sm_89 on.
LATHE_FRAGMENT_MMA(mma_e4m3, float, "f", "m16n8k32.row.col.f32.e4m3.e4m3.f32")
LATHE_FRAGMENT_MMA(mma_e5m2, float, "f", "m16n8k32.row.col.f32.e5m2.e5m2.f32")
#undef LATHE_FRAGMENT_MMA
/// mma_f16() with sums of two halves in a register, which are rounded to halves.
__device__ __forceinline__ void mma_f16(unsigned (&sums)[2], const unsigned (&a)[4], const unsigned (&b)[2]) {
  asm("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%0, %1};"
      : "+r"(sums[0]), "+r"(sums[1])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
/// sums += A × B of 8 × 4 and 4 × 8 doubles; a thread has one of each.
__device__ __forceinline__ void mma_f64(double (&sums)[2], double a, double b) {
  asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
      : "+d"(sums[0]), "+d"(sums[1])
      : "d"(a), "d"(b));
}

}  // namespace lathe::cuda
#endif
