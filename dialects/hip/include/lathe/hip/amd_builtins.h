// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang's builtins for AMD GPUs (llvm.org/docs/AMDGPUUsage.html, "LLVM IR Intrinsics"), which this compile's triple has
// not. What other machines can do as well is the device ABI's there. The rest are the intrinsics themselves, declared
// under Clang's names: a kernel that keeps a call of one compiles for amdgpu only.
#ifndef LATHE_HIP_AMD_BUILTINS_H
#define LATHE_HIP_AMD_BUILTINS_H

#include <lathe/cuda/builtins.h>
#include <lathe/cuda/intrinsics.h>
#include <lathe/cuda/subgroup.h>

#define LATHE_AMD_COORDINATES(axis)                                      \
  LATHE_INLINE unsigned __builtin_amdgcn_workitem_id_##axis() {          \
    return threadIdx.axis;                                               \
  }                                                                      \
  LATHE_INLINE unsigned __builtin_amdgcn_workgroup_id_##axis() {         \
    return blockIdx.axis;                                                \
  }                                                                      \
  LATHE_INLINE unsigned short __builtin_amdgcn_workgroup_size_##axis() { \
    return static_cast<unsigned short>(blockDim.axis);                   \
  }                                                                      \
  LATHE_INLINE unsigned __builtin_amdgcn_grid_size_##axis() {            \
    return gridDim.axis * blockDim.axis;                                 \
  }
LATHE_AMD_COORDINATES(x)
LATHE_AMD_COORDINATES(y)
LATHE_AMD_COORDINATES(z)
#undef LATHE_AMD_COORDINATES

#define __builtin_amdgcn_s_barrier() __lathe_group_barrier()
#define __builtin_amdgcn_wave_barrier() __syncwarp()
// No macro: rocPRIM declares it.
extern "C" inline __attribute__((always_inline)) __device__ void __builtin_amdgcn_s_sleep(int cycles) {
  __lathe_sleep(static_cast<unsigned>(cycles) * 32);
}
#define __builtin_amdgcn_s_memtime() __lathe_clock()
#define __builtin_amdgcn_s_memrealtime() __lathe_clock()
#define __builtin_readcyclecounter() __lathe_clock()
#define __builtin_amdgcn_endpgm() __lathe_trap()
LATHE_INLINE unsigned __builtin_amdgcn_wavefrontsize() {
  return __lathe_subgroup_size();
}

namespace lathe::detail {
// Operands are vectors of the kind that others of the same bits are converted to; results have components by name.
template <class T, int N>
using AmdVector = T __attribute__((vector_size(N * sizeof(T))));
template <class T, int N>
using AmdResult = T __attribute__((ext_vector_type(N)));
using AmdShort2 = AmdVector<short, 2>;
using AmdUnsignedShort2 = AmdVector<unsigned short, 2>;
/// The device ABI's number of one of AMD's names of scopes.
consteval int scopeNamed(const char* name) {
  switch (name[0]) {
    case 's':
      return 0;  // singlethread
    case 'w':
      return name[1] == 'a' ? 1 : 2;  // wavefront, workgroup
    case 'a':                         // agent
    case 'c':
      return 3;  // cluster
    default:
      return 4;
  }
}
template <int Value>
struct Constant {
  enum { value = Value };
};
}  // namespace lathe::detail
#define __builtin_amdgcn_fence(order, scope, ...)                               \
  __lathe_fence(lathe::detail::Constant<lathe::detail::abiOrder(order)>::value, \
                lathe::detail::Constant<lathe::detail::scopeNamed(scope)>::value)

/// `count` and the set bits of the mask's lower (upper) half that belong to lanes below the caller's.
LATHE_INLINE unsigned __builtin_amdgcn_mbcnt_lo(unsigned mask, unsigned count) {
  const unsigned lane = __lathe_subgroup_item_id();
  return count + static_cast<unsigned>(__popc(lane < 32 ? mask & ((1u << lane) - 1) : mask));
}
LATHE_INLINE unsigned __builtin_amdgcn_mbcnt_hi(unsigned mask, unsigned count) {
  const unsigned lane = __lathe_subgroup_item_id();
  return lane < 32 ? count : count + static_cast<unsigned>(__popc(mask & ((1u << (lane - 32)) - 1)));
}
namespace lathe::detail {
LATHE_INLINE int ofLane(int value, int lane) {
  return static_cast<int>(__lathe_shuffle_i32(__lathe_active_mask(), static_cast<unsigned>(value),
                                              static_cast<unsigned>(lane), __lathe_subgroup_size()));
}
}  // namespace lathe::detail
// On AMD's GPUs the result is in a register that a wave shares, which operands of assembly may ask for.
extern "C" __device__ int __lathe_amd_readfirstlane(int) __asm__("llvm.amdgcn.readfirstlane.i32");
extern "C" __device__ int __lathe_amd_readlane(int, int) __asm__("llvm.amdgcn.readlane.i32");
LATHE_INLINE int __builtin_amdgcn_readfirstlane(int value) {
  if (__lathe_target_is("amdgpu")) return __lathe_amd_readfirstlane(value);
  return lathe::detail::ofLane(value, __builtin_ctzll(__lathe_active_mask()));
}
LATHE_INLINE int __builtin_amdgcn_readlane(int value, int lane) {
  if (__lathe_target_is("amdgpu")) return __lathe_amd_readlane(value, lane);
  return lathe::detail::ofLane(value, lane);
}
/// The value of the lane whose number, times four, is `address`.
LATHE_INLINE int __builtin_amdgcn_ds_bpermute(int address, int value) {
  return lathe::detail::ofLane(value, (address >> 2) & static_cast<int>(__lathe_subgroup_size() - 1));
}
LATHE_INLINE unsigned long long __builtin_amdgcn_ballot_w64(bool predicate) {
  return __lathe_ballot(__lathe_active_mask(), predicate);
}
LATHE_INLINE unsigned __builtin_amdgcn_ballot_w32(bool predicate) {
  return static_cast<unsigned>(__builtin_amdgcn_ballot_w64(predicate));
}
LATHE_INLINE unsigned long long __builtin_amdgcn_read_exec() {
  return __lathe_active_mask();
}
/// Whether the caller's bit is set.
LATHE_INLINE bool __builtin_amdgcn_inverse_ballot_w64(unsigned long long bits) {
  return bits >> __lathe_subgroup_item_id() & 1;
}
LATHE_INLINE bool __builtin_amdgcn_inverse_ballot_w32(unsigned bits) {
  return __builtin_amdgcn_inverse_ballot_w64(bits);
}
#define __hip_ds_bpermute __builtin_amdgcn_ds_bpermute
LATHE_INLINE float __hip_ds_bpermutef(int address, float value) {
  return __builtin_bit_cast(float, __builtin_amdgcn_ds_bpermute(address, __builtin_bit_cast(int, value)));
}

LATHE_INLINE unsigned __builtin_amdgcn_alignbit(unsigned high, unsigned low, unsigned shift) {
  return __builtin_elementwise_fshr(high, low, shift & 31);
}
LATHE_INLINE unsigned __builtin_amdgcn_alignbyte(unsigned high, unsigned low, unsigned bytes) {
  return __builtin_elementwise_fshr(high, low, (bytes & 3) * 8);
}
LATHE_INLINE unsigned __builtin_amdgcn_ubfe(unsigned bits, unsigned offset, unsigned width) {
  offset &= 31, width &= 31;
  return bits >> offset & ((1u << width) - 1);
}
LATHE_INLINE int __builtin_amdgcn_sbfe(int bits, unsigned offset, unsigned width) {
  offset &= 31, width &= 31;
  if (width == 0) return 0;
  const unsigned field = static_cast<unsigned>(bits) >> offset & ((1u << width) - 1);
  const unsigned sign = 1u << (width - 1);
  return static_cast<int>((field ^ sign) - sign);
}
// The intrinsic on AMD GPUs, and what it is an approximation of elsewhere.
#define LATHE_AMD_APPROXIMATION(name, type, intrinsic, value)             \
  extern "C" __device__ type __lathe_amd_##name(type) __asm__(intrinsic); \
  LATHE_INLINE type __builtin_amdgcn_##name(type x) {                     \
    if (__lathe_target_is("amdgpu")) return __lathe_amd_##name(x);        \
    return value;                                                         \
  }
LATHE_AMD_APPROXIMATION(rcpf, float, "llvm.amdgcn.rcp.f32", 1.0f / x)
LATHE_AMD_APPROXIMATION(rcp, double, "llvm.amdgcn.rcp.f64", 1.0 / x)
LATHE_AMD_APPROXIMATION(rsqf, float, "llvm.amdgcn.rsq.f32", rsqrtf(x))
LATHE_AMD_APPROXIMATION(rsq, double, "llvm.amdgcn.rsq.f64", rsqrt(x))
LATHE_AMD_APPROXIMATION(sqrtf, float, "llvm.amdgcn.sqrt.f32", sqrtf(x))
LATHE_AMD_APPROXIMATION(sqrt, double, "llvm.amdgcn.sqrt.f64", sqrt(x))
LATHE_AMD_APPROXIMATION(exp2f, float, "llvm.amdgcn.exp2.f32", exp2f(x))
LATHE_AMD_APPROXIMATION(logf, float, "llvm.amdgcn.log.f32", log2f(x))
LATHE_AMD_APPROXIMATION(fractf, float, "llvm.amdgcn.fract.f32", x - floorf(x))
LATHE_AMD_APPROXIMATION(fract, double, "llvm.amdgcn.fract.f64", x - floor(x))
// Of turns, not radians.
LATHE_AMD_APPROXIMATION(sinf, float, "llvm.amdgcn.sin.f32", sinpif(2 * x))
LATHE_AMD_APPROXIMATION(cosf, float, "llvm.amdgcn.cos.f32", cospif(2 * x))
#undef LATHE_AMD_APPROXIMATION
LATHE_INLINE float __builtin_amdgcn_fmed3f(float x, float y, float z) {
  return fmaxf(fminf(x, y), fminf(fmaxf(x, y), z));
}

LATHE_INLINE float __builtin_amdgcn_ldexpf(float x, int exponent) {
  return ldexpf(x, exponent);
}
LATHE_INLINE double __builtin_amdgcn_ldexp(double x, int exponent) {
  return ldexp(x, exponent);
}
// Of infinities and what is no number: the number itself, and 0.
LATHE_INLINE float __builtin_amdgcn_frexp_mantf(float x) {
  int exponent;
  return frexpf(x, &exponent);
}
LATHE_INLINE double __builtin_amdgcn_frexp_mant(double x) {
  int exponent;
  return frexp(x, &exponent);
}
LATHE_INLINE int __builtin_amdgcn_frexp_expf(float x) {
  int exponent = 0;
  if (isfinite(x)) (void)frexpf(x, &exponent);
  return exponent;
}
LATHE_INLINE int __builtin_amdgcn_frexp_exp(double x) {
  int exponent = 0;
  if (isfinite(x)) (void)frexp(x, &exponent);
  return exponent;
}
namespace lathe::detail {
/// Whether the number with these bits is of one of `kinds`: signalling and quiet NaN, then of negative sign infinity,
/// normal, subnormal and zero, then of positive sign the same backwards.
template <int fractionBits, class Bits>
LATHE_INLINE bool isOfKinds(Bits bits, int kinds) {
  constexpr Bits sign = Bits{1} << (8 * sizeof(Bits) - 1), normal = Bits{1} << fractionBits, infinity = sign - normal;
  const Bits magnitude = bits & ~sign;
  if (magnitude > infinity) return kinds >> (magnitude >> (fractionBits - 1) & 1) & 1;
  const int size = magnitude == 0 ? 0 : magnitude < normal ? 1 : magnitude < infinity ? 2 : 3;
  return kinds >> (bits & sign ? 5 - size : 6 + size) & 1;
}
}  // namespace lathe::detail
LATHE_INLINE bool __builtin_amdgcn_classf(float x, int kinds) {
  return lathe::detail::isOfKinds<23>(__builtin_bit_cast(unsigned, x), kinds);
}
LATHE_INLINE bool __builtin_amdgcn_class(double x, int kinds) {
  return lathe::detail::isOfKinds<52>(__builtin_bit_cast(unsigned long long, x), kinds);
}

extern "C" __device__ unsigned __lathe_amd_perm(unsigned, unsigned, unsigned) __asm__("llvm.amdgcn.perm");
/// Each byte of \p selectors names one of the eight of `high` and `low`, from 8 on a sign's copies, 12 a zero, behind
/// it ones.
LATHE_INLINE unsigned __builtin_amdgcn_perm(unsigned high, unsigned low, unsigned selectors) {
  if (__lathe_target_is("amdgpu")) return __lathe_amd_perm(high, low, selectors);
  const unsigned long long bytes = static_cast<unsigned long long>(high) << 32 | low;
  unsigned out = 0;
  for (unsigned i = 0; i < 32; i += 8) {
    const unsigned which = selectors >> i & 0xff;
    const bool isSet = which > 12 || (which >= 8 && which < 12 && bytes >> (which - 8) * 16 + 15 & 1);
    out |= (which < 8 ? static_cast<unsigned>(bytes >> which * 8) & 0xff : isSet ? 0xffu : 0u) << i;
  }
  return out;
}

// Elsewhere what is loaded is there.
extern "C" __device__ void __lathe_amd_s_waitcnt(int) __asm__("llvm.amdgcn.s.waitcnt");
#define __builtin_amdgcn_s_waitcnt(counts) \
  (__lathe_target_is("amdgpu") ? __lathe_amd_s_waitcnt(counts) : static_cast<void>(counts))

// Hints for the scheduler.
#define __builtin_amdgcn_sched_barrier(mask) static_cast<void>(mask)
#define __builtin_amdgcn_sched_group_barrier(mask, size, id) static_cast<void>(mask)
#define __builtin_amdgcn_iglp_opt(what) static_cast<void>(what)
#define __builtin_amdgcn_s_setprio(priority) static_cast<void>(priority)

// AMD's alone. Arguments that the instruction holds must be constants.
#define LATHE_AMD(type, name, intrinsic, ...) \
  extern "C" __device__ type __builtin_amdgcn_##name(__VA_ARGS__) __asm__("llvm.amdgcn." intrinsic);
LATHE_AMD(int, mov_dpp, "mov.dpp.i32", int, int, int, int, bool)
LATHE_AMD(int, update_dpp, "update.dpp.i32", int, int, int, int, int, bool)
LATHE_AMD(int, ds_swizzle, "ds.swizzle", int, int)
LATHE_AMD(int, ds_permute, "ds.permute", int, int)
LATHE_AMD(unsigned, permlane16, "permlane16.i32", unsigned, unsigned, unsigned, unsigned, bool, bool)
LATHE_AMD(unsigned, permlanex16, "permlanex16.i32", unsigned, unsigned, unsigned, unsigned, bool, bool)
LATHE_AMD(unsigned, sad_u8, "sad.u8", unsigned, unsigned, unsigned)
LATHE_AMD(unsigned, msad_u8, "msad.u8", unsigned, unsigned, unsigned)
LATHE_AMD(unsigned, lerp, "lerp", unsigned, unsigned, unsigned)
LATHE_AMD(unsigned, sad_hi_u8, "sad.hi.u8", unsigned, unsigned, unsigned)
LATHE_AMD(unsigned, sad_u16, "sad.u16", unsigned, unsigned, unsigned)
LATHE_AMD(int, writelane, "writelane.i32", int, int, int)
LATHE_AMD(void, s_setreg, "s.setreg", int, unsigned)
LATHE_AMD(unsigned, s_getreg, "s.getreg", int)

namespace lathe::detail {
#define LATHE_AMD_VECTOR(name, type, count) \
  using Amd##name = AmdVector<type, count>; \
  using Amd##name##Out = AmdResult<type, count>;
LATHE_AMD_VECTOR(Half2, _Float16, 2)
LATHE_AMD_VECTOR(Half4, _Float16, 4)
LATHE_AMD_VECTOR(Short4, short, 4)
LATHE_AMD_VECTOR(Half8, _Float16, 8)
LATHE_AMD_VECTOR(Half16, _Float16, 16)
LATHE_AMD_VECTOR(Short8, short, 8)
LATHE_AMD_VECTOR(Short16, short, 16)
LATHE_AMD_VECTOR(Float2, float, 2)
LATHE_AMD_VECTOR(Float4, float, 4)
LATHE_AMD_VECTOR(Float8, float, 8)
LATHE_AMD_VECTOR(Float16, float, 16)
LATHE_AMD_VECTOR(Float32, float, 32)
LATHE_AMD_VECTOR(Double4, double, 4)
LATHE_AMD_VECTOR(Int2, int, 2)
LATHE_AMD_VECTOR(Int4, int, 4)
LATHE_AMD_VECTOR(Int8, int, 8)
LATHE_AMD_VECTOR(Int16, int, 16)
LATHE_AMD_VECTOR(Int32, int, 32)
#undef LATHE_AMD_VECTOR
using AmdDouble = double;
using AmdDoubleOut = double;
using AmdShort2Out = AmdResult<short, 2>;
using AmdUnsignedShort2Out = AmdResult<unsigned short, 2>;
}  // namespace lathe::detail
LATHE_AMD(lathe::detail::AmdHalf2Out, cvt_pkrtz, "cvt.pkrtz", float, float)
LATHE_AMD(lathe::detail::AmdShort2Out, cvt_pknorm_i16, "cvt.pknorm.i16", float, float)
LATHE_AMD(lathe::detail::AmdUnsignedShort2Out, cvt_pknorm_u16, "cvt.pknorm.u16", float, float)
LATHE_AMD(lathe::detail::AmdShort2Out, cvt_pk_i16, "cvt.pk.i16", int, int)
LATHE_AMD(lathe::detail::AmdUnsignedShort2Out, cvt_pk_u16, "cvt.pk.u16", unsigned, unsigned)
LATHE_AMD(unsigned, cvt_pk_u8_f32, "cvt.pk.u8.f32", float, unsigned, unsigned)
LATHE_AMD(float, fdot2, "fdot2", lathe::detail::AmdHalf2, lathe::detail::AmdHalf2, float, bool)
// Floats of 8 bits, of CDNA 3 (fnuz) and RDNA 4 (OCP's): two into a half of a word, one with random bits into a byte,
// and back.
#define LATHE_AMD_SMALL_FLOAT(name)                                                    \
  LATHE_AMD(int, cvt_pk_##name##_f32, "cvt.pk." #name ".f32", float, float, int, bool) \
  LATHE_AMD(int, cvt_sr_##name##_f32, "cvt.sr." #name ".f32", float, int, int, int)    \
  LATHE_AMD(float, cvt_f32_##name, "cvt.f32." #name, int, int)                         \
  LATHE_AMD(lathe::detail::AmdFloat2Out, cvt_pk_f32_##name, "cvt.pk.f32." #name, int, bool)
LATHE_AMD_SMALL_FLOAT(fp8)
LATHE_AMD_SMALL_FLOAT(bf8)
#undef LATHE_AMD_SMALL_FLOAT
// Matrix products: two operands, sums, and three constants for broadcasts (all of a wave takes part).
#define LATHE_AMD_MATRIX(name, intrinsic, operand, sums)                                                               \
  LATHE_AMD(lathe::detail::sums##Out, mfma_##name, "mfma." intrinsic, operand, operand, lathe::detail::sums, int, int, \
            int)
LATHE_AMD_MATRIX(f32_4x4x1f32, "f32.4x4x1f32", float, AmdFloat4)
LATHE_AMD_MATRIX(f32_16x16x1f32, "f32.16x16x1f32", float, AmdFloat16)
LATHE_AMD_MATRIX(f32_32x32x1f32, "f32.32x32x1f32", float, AmdFloat32)
LATHE_AMD_MATRIX(f32_4x4x4f16, "f32.4x4x4f16", lathe::detail::AmdHalf4, AmdFloat4)
LATHE_AMD_MATRIX(f32_16x16x4f16, "f32.16x16x4f16", lathe::detail::AmdHalf4, AmdFloat16)
LATHE_AMD_MATRIX(f32_32x32x4f16, "f32.32x32x4f16", lathe::detail::AmdHalf4, AmdFloat32)
LATHE_AMD_MATRIX(f32_4x4x4bf16_1k, "f32.4x4x4bf16.1k", lathe::detail::AmdShort4, AmdFloat4)
LATHE_AMD_MATRIX(f32_16x16x4bf16_1k, "f32.16x16x4bf16.1k", lathe::detail::AmdShort4, AmdFloat16)
LATHE_AMD_MATRIX(f32_32x32x4bf16_1k, "f32.32x32x4bf16.1k", lathe::detail::AmdShort4, AmdFloat32)
LATHE_AMD_MATRIX(i32_4x4x4i8, "i32.4x4x4i8", int, AmdInt4)
LATHE_AMD_MATRIX(i32_16x16x4i8, "i32.16x16x4i8", int, AmdInt16)
LATHE_AMD_MATRIX(i32_32x32x4i8, "i32.32x32x4i8", int, AmdInt32)
LATHE_AMD_MATRIX(f64_4x4x4f64, "f64.4x4x4f64", double, AmdDouble)
LATHE_AMD_MATRIX(i32_16x16x32_i8, "i32.16x16x32.i8", long, AmdInt4)
LATHE_AMD_MATRIX(i32_32x32x16_i8, "i32.32x32x16.i8", long, AmdInt16)
LATHE_AMD_MATRIX(f32_16x16x32_fp8_fp8, "f32.16x16x32.fp8.fp8", long, AmdFloat4)
LATHE_AMD_MATRIX(f32_16x16x32_fp8_bf8, "f32.16x16x32.fp8.bf8", long, AmdFloat4)
LATHE_AMD_MATRIX(f32_16x16x32_bf8_fp8, "f32.16x16x32.bf8.fp8", long, AmdFloat4)
LATHE_AMD_MATRIX(f32_16x16x32_bf8_bf8, "f32.16x16x32.bf8.bf8", long, AmdFloat4)
LATHE_AMD_MATRIX(f32_32x32x16_fp8_fp8, "f32.32x32x16.fp8.fp8", long, AmdFloat16)
LATHE_AMD_MATRIX(f32_32x32x16_fp8_bf8, "f32.32x32x16.fp8.bf8", long, AmdFloat16)
LATHE_AMD_MATRIX(f32_32x32x16_bf8_fp8, "f32.32x32x16.bf8.fp8", long, AmdFloat16)
LATHE_AMD_MATRIX(f32_32x32x16_bf8_bf8, "f32.32x32x16.bf8.bf8", long, AmdFloat16)
LATHE_AMD_MATRIX(f32_16x16x4f32, "f32.16x16x4f32", float, AmdFloat4)
LATHE_AMD_MATRIX(f32_32x32x2f32, "f32.32x32x2f32", float, AmdFloat16)
LATHE_AMD_MATRIX(f32_16x16x16f16, "f32.16x16x16f16", lathe::detail::AmdHalf4, AmdFloat4)
LATHE_AMD_MATRIX(f32_32x32x8f16, "f32.32x32x8f16", lathe::detail::AmdHalf4, AmdFloat16)
LATHE_AMD_MATRIX(f32_16x16x16bf16_1k, "f32.16x16x16bf16.1k", lathe::detail::AmdShort4, AmdFloat4)
LATHE_AMD_MATRIX(f32_32x32x8bf16_1k, "f32.32x32x8bf16.1k", lathe::detail::AmdShort4, AmdFloat16)
LATHE_AMD_MATRIX(i32_16x16x16i8, "i32.16x16x16i8", int, AmdInt4)
LATHE_AMD_MATRIX(i32_32x32x8i8, "i32.32x32x8i8", int, AmdInt16)
LATHE_AMD_MATRIX(f64_16x16x4f64, "f64.16x16x4f64", double, AmdDouble4)
#undef LATHE_AMD_MATRIX
// The same on RDNA, for waves of 32: 16 × 16 × 16 elements, which on gfx11 both halves of a wave hold, and on gfx12
// one.
#define LATHE_AMD_WAVE_MATRIX(name, intrinsic, operand, sums)                                                         \
  LATHE_AMD(lathe::detail::sums##Out, wmma_##name, "wmma." intrinsic, lathe::detail::operand, lathe::detail::operand, \
            lathe::detail::sums)
LATHE_AMD_WAVE_MATRIX(f32_16x16x16_f16_w32, "f32.16x16x16.f16.v8f32.v16f16", AmdHalf16, AmdFloat8)
LATHE_AMD_WAVE_MATRIX(f32_16x16x16_bf16_w32, "f32.16x16x16.bf16.v8f32.v16i16", AmdShort16, AmdFloat8)
LATHE_AMD_WAVE_MATRIX(f32_16x16x16_f16_w32_gfx12, "f32.16x16x16.f16.v8f32.v8f16", AmdHalf8, AmdFloat8)
LATHE_AMD_WAVE_MATRIX(f32_16x16x16_bf16_w32_gfx12, "f32.16x16x16.bf16.v8f32.v8i16", AmdShort8, AmdFloat8)
LATHE_AMD_WAVE_MATRIX(f32_16x16x16_fp8_fp8_w32_gfx12, "f32.16x16x16.fp8.fp8.v8f32.v2i32", AmdInt2, AmdFloat8)
LATHE_AMD_WAVE_MATRIX(f32_16x16x16_fp8_bf8_w32_gfx12, "f32.16x16x16.fp8.bf8.v8f32.v2i32", AmdInt2, AmdFloat8)
LATHE_AMD_WAVE_MATRIX(f32_16x16x16_bf8_fp8_w32_gfx12, "f32.16x16x16.bf8.fp8.v8f32.v2i32", AmdInt2, AmdFloat8)
LATHE_AMD_WAVE_MATRIX(f32_16x16x16_bf8_bf8_w32_gfx12, "f32.16x16x16.bf8.bf8.v8f32.v2i32", AmdInt2, AmdFloat8)
#undef LATHE_AMD_WAVE_MATRIX
LATHE_AMD(lathe::detail::AmdInt8Out, wmma_i32_16x16x16_iu8_w32, "wmma.i32.16x16x16.iu8.v8i32.v4i32", bool,
          lathe::detail::AmdInt4, bool, lathe::detail::AmdInt4, lathe::detail::AmdInt8, bool)
LATHE_AMD(lathe::detail::AmdInt8Out, wmma_i32_16x16x16_iu8_w32_gfx12, "wmma.i32.16x16x16.iu8.v8i32.v2i32", bool,
          lathe::detail::AmdInt2, bool, lathe::detail::AmdInt2, lathe::detail::AmdInt8, bool)
#undef LATHE_AMD
#include <lathe/hip/dot_products.h>

#define __hip_ds_swizzle __builtin_amdgcn_ds_swizzle
#define __hip_ds_permute __builtin_amdgcn_ds_permute
#define __hip_move_dpp __builtin_amdgcn_mov_dpp

#endif
