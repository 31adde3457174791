// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device ABI of AMD GPUs where one entry is not one intrinsic. Grid and group sizes come from the hidden arguments
// of code object version 5 (LLVM's AMDGPUUsage, "Kernel Argument Segment"); values of other lanes through ds_bpermute.
#include <lathe/sdk/device_grid.h>
#include <lathe/sdk/device_heap.h>
#include <lathe/sdk/device_state.h>

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
  return fromLane((laneId() & ~(width - 1)) | (item & (width - 1)), value);
}
LATHE_ENTRY unsigned __lathe_shuffle_up_i32(unsigned long long, unsigned value, unsigned delta, unsigned width) {
  const unsigned lane = laneId(), first = lane & ~(width - 1);
  return fromLane(lane < first + delta ? lane : lane - delta, value);
}
LATHE_ENTRY unsigned __lathe_shuffle_down_i32(unsigned long long, unsigned value, unsigned delta, unsigned width) {
  const unsigned lane = laneId(), end = (lane & ~(width - 1)) + width;
  const unsigned from = lane + delta < end ? lane + delta : lane;
  return fromLane(from, value);
}
LATHE_ENTRY unsigned __lathe_shuffle_xor_i32(unsigned long long, unsigned value, unsigned lane_mask, unsigned width) {
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
  for (unsigned slept = 0; slept < nanoseconds; slept += 32) __builtin_amdgcn_s_sleep(1);
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
