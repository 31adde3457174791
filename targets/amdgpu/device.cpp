// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device ABI of AMD GPUs where one entry is not one intrinsic. Grid and group sizes come from the hidden arguments
// of code object version 5 (LLVM's AMDGPUUsage, "Kernel Argument Segment"); values of other lanes through ds_bpermute,
// or where the distance is a constant through data-parallel primitives (DPP), v_permlanex16, v_readlane and ds_swizzle,
// which need no address ("RDNA3" and "CDNA3 Instruction Set Architecture", chapters on DPP, VOP3 and LDS).
#include <lathe/sdk/device_grid.h>
#include <lathe/sdk/device_heap.h>
#include <lathe/sdk/device_state.h>

#include "device_matrix.h"

#define LATHE_ENTRY extern "C" __attribute__((always_inline))

namespace {

/// Offsets in the hidden arguments.
enum Hidden : unsigned {
  blockCountX = 0,
  blockCountY = 4,
  blockCountZ = 8,
  groupSizeX = 12,
  groupSizeY = 14,
  groupSizeZ = 16,
  dynamicLdsSize = 120
};

template <class T>
inline unsigned hidden(Hidden offset) {
  auto* const base = static_cast<const __attribute__((address_space(4))) char*>(__builtin_amdgcn_implicitarg_ptr());
  return *reinterpret_cast<const __attribute__((address_space(4))) T*>(base + offset);
}

inline unsigned laneId() {
  return __builtin_amdgcn_mbcnt_hi(~0U, __builtin_amdgcn_mbcnt_lo(~0U, 0));
}

/// All lanes that take part must be here: what is read from a lane that a branch has switched off is undefined.
inline unsigned fromLane(unsigned lane, unsigned value) {
  return unsigned(__builtin_amdgcn_ds_bpermute(int(lane * 4), int(value)));
}

/// True if the value is a constant where the function that asks has been inlined (llvm.is.constant, which the hooks put
/// here: Clang would answer it while it compiles this file).
extern "C" bool lathe_amdgpu_is_constant(unsigned value);

/// Lanes that ds_swizzle reaches: within each 32 a lane reads that of the number `(lane & keep | set) ^ flip`.
constexpr unsigned swizzled = 32;
#define LATHE_SWIZZLE(value, keep, set, flip) \
  unsigned(__builtin_amdgcn_ds_swizzle(int(value), (keep) | (set) << 5 | (flip) << 10))

/// Lanes of a DPP row.
constexpr unsigned row = 16;
/// Control words of DPP: a lane's source within four lanes, within a half row and a row, and that many lanes on.
constexpr int quadXor1 = 0xB1, quadXor2 = 0x4E, quadXor3 = 0x1B, rowLeft = 0x100, rowRight = 0x110, rowMirror = 0x140,
              halfRowMirror = 0x141, rowRotate = 0x120, rowShare = 0x150;

/// The intrinsic: Clang's builtin asks for a processor, which this file has none of.
extern "C" int lathe_amdgpu_update_dpp(int old, int value, int control, int rows, int banks,
                                       bool bounds) __asm("llvm.amdgcn.update.dpp.i32");

extern "C" unsigned lathe_amdgpu_permlane16(unsigned old, unsigned value, unsigned low, unsigned high, bool inactive,
                                            bool bounds) __asm("llvm.amdgcn.permlane16.i32");
extern "C" unsigned lathe_amdgpu_permlanex16(unsigned old, unsigned value, unsigned low, unsigned high, bool inactive,
                                             bool bounds) __asm("llvm.amdgcn.permlanex16.i32");

/// A lane without a source in its row gets 0, so LLVM may make it part of the instruction that takes the value.
#define LATHE_DPP(value, control) unsigned(lathe_amdgpu_update_dpp(0, int(value), control, 0xf, 0xf, true))

#define LATHE_ROW_CASES(base) \
  LATHE_ROW_CASE(base, 1)     \
  LATHE_ROW_CASE(base, 2)     \
  LATHE_ROW_CASE(base, 3)     \
  LATHE_ROW_CASE(base, 4)     \
  LATHE_ROW_CASE(base, 5)     \
  LATHE_ROW_CASE(base, 6)     \
  LATHE_ROW_CASE(base, 7)     \
  LATHE_ROW_CASE(base, 8)     \
  LATHE_ROW_CASE(base, 9)     \
  LATHE_ROW_CASE(base, 10)    \
  LATHE_ROW_CASE(base, 11)    \
  LATHE_ROW_CASE(base, 12)    \
  LATHE_ROW_CASE(base, 13)    \
  LATHE_ROW_CASE(base, 14)    \
  LATHE_ROW_CASE(base, 15)
#define LATHE_ROW_CASE(base, n) \
  case n:                       \
    return LATHE_DPP(value, base | n);

/// The value of the lane `delta` before in the row; `delta` is a constant from 1 to 15.
inline __attribute__((always_inline)) unsigned fromBeforeInRow(unsigned value, unsigned delta) {
  switch (delta) { LATHE_ROW_CASES(rowRight) }
  return value;
}
inline __attribute__((always_inline)) unsigned fromBehindInRow(unsigned value, unsigned delta) {
  switch (delta) { LATHE_ROW_CASES(rowLeft) }
  return value;
}
#undef LATHE_ROW_CASE

/// The value of the row's lane `item`, a constant; of waves of 32, whose processors have it.
#define LATHE_ROW_CASE(base, n) \
  case n:                       \
    return LATHE_DPP(value, base | n);
inline __attribute__((always_inline)) unsigned fromSameByShare(unsigned value, unsigned item) {
  switch (item) { LATHE_ROW_CASE(rowShare, 0) LATHE_ROW_CASES(rowShare) }
  return value;
}
#undef LATHE_ROW_CASE

/// The same of all 32 lanes, or of a row or half a row, of a wave of 64.
#define LATHE_ROW_CASE(base, n) \
  case base + n:                \
    return LATHE_SWIZZLE(value, 0, base + n, 0);
inline __attribute__((always_inline)) unsigned fromSameOf32(unsigned value, unsigned item) {
  switch (item) { LATHE_ROW_CASE(0, 0) LATHE_ROW_CASES(0) LATHE_ROW_CASE(16, 0) LATHE_ROW_CASES(16) }
  return value;
}
#undef LATHE_ROW_CASE
#define LATHE_ROW_CASE(base, n) \
  case n:                       \
    return LATHE_SWIZZLE(value, base, n, 0);
inline __attribute__((always_inline)) unsigned fromSameOfRow(unsigned value, unsigned item) {
  switch (item) { LATHE_ROW_CASE(16, 0) LATHE_ROW_CASES(16) }
  return value;
}
inline __attribute__((always_inline)) unsigned fromSameOfHalfRow(unsigned value, unsigned item) {
  switch (item) { LATHE_ROW_CASE(24, 0) LATHE_ROW_CASES(24) }
  return value;
}
#undef LATHE_ROW_CASE
#define LATHE_ROW_CASE(base, n) \
  case base + n:                \
    return LATHE_SWIZZLE(value, 31, 0, base + n);
/// The value of the lane whose number differs in the bits of `mask`, a constant below 32.
inline __attribute__((always_inline)) unsigned fromXorBySwizzle(unsigned value, unsigned mask) {
  switch (mask) { LATHE_ROW_CASES(0) LATHE_ROW_CASE(16, 0) LATHE_ROW_CASES(16) }
  return value;
}
#undef LATHE_ROW_CASE

/// True if one instruction gives each lane the value of the one whose number differs in the bits of `mask`, a constant
/// below the wave's size. Several would need the lanes in between, which a branch may have switched off.
inline __attribute__((always_inline)) bool isOneStep(unsigned mask) {
  if (__builtin_amdgcn_wavefrontsize() == 32) return mask != 0;
  return mask == 1 || mask == 2 || mask == 3 || mask == 7 || mask == 8 || mask == 15;
}
inline __attribute__((always_inline)) unsigned fromXor(unsigned value, unsigned mask) {
  switch (mask) {
    case 1:
      return LATHE_DPP(value, quadXor1);
    case 2:
      return LATHE_DPP(value, quadXor2);
    case 3:
      return LATHE_DPP(value, quadXor3);
    case 7:
      return LATHE_DPP(value, halfRowMirror);
    case 8:
      return LATHE_DPP(value, rowRotate | 8);
    case 15:
      return LATHE_DPP(value, rowMirror);
  }
  // Four bits a lane say which of a row it reads: of its own, or of the other one.
  const unsigned flip = mask % row * 0x11111111u, low = 0x76543210u ^ flip, high = 0xfedcba98u ^ flip;
  return mask < row ? lathe_amdgpu_permlane16(0, value, low, high, false, true)
                    : lathe_amdgpu_permlanex16(0, value, low, high, false, true);
}

/// The value of lane `item` of each `width` lanes, both constants; less than a wave.
inline __attribute__((always_inline)) unsigned fromSame(unsigned value, unsigned item, unsigned width) {
  switch (width == 4 ? 4 + item : width == 2 ? 2 + item : 0) {
    case 2:
      return LATHE_DPP(value, 0xA0);
    case 3:
      return LATHE_DPP(value, 0xF5);
    case 4:
      return LATHE_DPP(value, 0x00);
    case 5:
      return LATHE_DPP(value, 0x55);
    case 6:
      return LATHE_DPP(value, 0xAA);
    case 7:
      return LATHE_DPP(value, 0xFF);
  }
  if (width == 1) return value;
  if (__builtin_amdgcn_wavefrontsize() == 64) {
    if (width == swizzled) return fromSameOf32(value, item);
    return width == row ? fromSameOfRow(value, item) : fromSameOfHalfRow(value, item);
  }
  if (width == row) return fromSameByShare(value, item);
  return lathe_amdgpu_permlane16(0, value, item * 0x11111111u, (item + width) * 0x11111111u, false, true);
}

/// True if both are constants, and no segment of `width` lanes reaches over a row.
inline bool isStepInRow(unsigned delta, unsigned width) {
  return lathe_amdgpu_is_constant(delta) && lathe_amdgpu_is_constant(width) && width <= row && delta < row;
}

}  // namespace

LATHE_ENTRY unsigned __lathe_group_count_x() {
  return hidden<unsigned>(blockCountX);
}
LATHE_ENTRY unsigned __lathe_group_count_y() {
  return hidden<unsigned>(blockCountY);
}
LATHE_ENTRY unsigned __lathe_group_count_z() {
  return hidden<unsigned>(blockCountZ);
}
LATHE_ENTRY unsigned __lathe_group_size_x() {
  return hidden<unsigned short>(groupSizeX);
}
LATHE_ENTRY unsigned __lathe_group_size_y() {
  return hidden<unsigned short>(groupSizeY);
}
LATHE_ENTRY unsigned __lathe_group_size_z() {
  return hidden<unsigned short>(groupSizeZ);
}
LATHE_ENTRY unsigned __lathe_dynamic_shared_bytes() {
  return hidden<unsigned>(dynamicLdsSize);
}

LATHE_ENTRY void __lathe_group_barrier() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
LATHE_ENTRY void __lathe_subgroup_barrier(unsigned long long) {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
  __builtin_amdgcn_wave_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}

LATHE_ENTRY unsigned __lathe_subgroup_size() {
  return __builtin_amdgcn_wavefrontsize();
}
LATHE_ENTRY unsigned __lathe_subgroup_item_id() {
  return laneId();
}

LATHE_ENTRY unsigned __lathe_shuffle_i32(unsigned long long, unsigned value, unsigned item, unsigned width) {
  if (lathe_amdgpu_is_constant(item) && lathe_amdgpu_is_constant(width)) {
    if (width >= __builtin_amdgcn_wavefrontsize())
      return unsigned(__builtin_amdgcn_readlane(int(value), int(item & (width - 1))));
    return fromSame(value, item & (width - 1), width);
  }
  return fromLane((laneId() & ~(width - 1)) | (item & (width - 1)), value);
}
LATHE_ENTRY unsigned __lathe_shuffle_up_i32(unsigned long long, unsigned value, unsigned delta, unsigned width) {
  const unsigned lane = laneId(), before = lane & (width - 1);  // of its segment
  if (isStepInRow(delta, width)) {
    const unsigned got = fromBeforeInRow(value, delta);  // by all lanes: the others' values are theirs
    return before < delta ? value : got;
  }
  return fromLane(before < delta ? lane : lane - delta, value);
}
LATHE_ENTRY unsigned __lathe_shuffle_down_i32(unsigned long long, unsigned value, unsigned delta, unsigned width) {
  const unsigned lane = laneId(), rest = width - (lane & (width - 1));  // of its segment, with itself
  if (isStepInRow(delta, width)) {
    const unsigned got = fromBehindInRow(value, delta);
    return delta < rest ? got : value;
  }
  return fromLane(delta < rest ? lane + delta : lane, value);
}
LATHE_ENTRY unsigned __lathe_shuffle_xor_i32(unsigned long long, unsigned value, unsigned lane_mask, unsigned width) {
  if (lathe_amdgpu_is_constant(lane_mask) && lathe_amdgpu_is_constant(width) && lane_mask < width) {
    if (isOneStep(lane_mask)) return fromXor(value, lane_mask);
    return lane_mask < swizzled ? fromXorBySwizzle(value, lane_mask) : fromLane(laneId() ^ lane_mask, value);
  }
  const unsigned lane = laneId(), from = lane ^ lane_mask;
  return fromLane(from < (lane & ~(width - 1)) + width ? from : lane, value);
}

LATHE_ENTRY unsigned long long __lathe_ballot(unsigned long long mask, unsigned predicate) {
  return __builtin_amdgcn_ballot_w64(predicate != 0) & mask;
}
LATHE_ENTRY unsigned long long __lathe_active_mask() {
  return __builtin_amdgcn_ballot_w64(true);
}
/// s_sleep counts in 64 cycles of a clock around 2 GHz, in the instruction itself.
LATHE_ENTRY void __lathe_sleep(unsigned nanoseconds) {
  // Counted downwards: a sum of steps would leave the longest times out.
  for (unsigned steps = nanoseconds / 32 + (nanoseconds % 32 != 0); steps != 0; --steps) __builtin_amdgcn_s_sleep(1);
}
/// Waves go on by themselves; items of one wave do not.
LATHE_ENTRY void __lathe_item_yield() {
  __builtin_amdgcn_s_sleep(1);
}
LATHE_ENTRY unsigned long long __lathe_clock() {
  return __builtin_readcyclecounter();
}

/// The hardware ends whole wavefronts; the others of the group do not wait for one that ended.
inline void lathe_state::endItem() {
  __builtin_amdgcn_endpgm();
}
