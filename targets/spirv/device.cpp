// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device ABI in terms of OpenCL C's functions, by the mangled names that LLVM's SPIR-V back end knows; sizes are 64
// bits wide there. Scopes and semantics are SPIR-V's numbers (SPIR-V specification, 3.25 and 3.27).
#define LATHE_STATE_SPACE 1
#include <lathe/sdk/device_heap.h>
#include <lathe/sdk/device_rows.h>
#include <lathe/sdk/device_state.h>

#define LATHE_ENTRY extern "C" __attribute__((always_inline))

[[gnu::const]] unsigned long get_local_id(unsigned);
[[gnu::const]] unsigned long get_group_id(unsigned);
[[gnu::const]] unsigned long get_local_size(unsigned);
[[gnu::const]] unsigned long get_num_groups(unsigned);
[[clang::convergent]] void __spirv_ControlBarrier(int execution, int memory, int semantics);

[[gnu::const]] unsigned get_sub_group_local_id();
using uint4 = unsigned __attribute__((ext_vector_type(4)));
[[clang::convergent]] unsigned sub_group_shuffle(unsigned value, unsigned item);
[[clang::convergent]] uint4 sub_group_ballot(int predicate);
unsigned long clock_read_sub_group();

namespace {

enum Scope : int { workgroupScope = 2, subgroupScope = 3 };
enum Semantics : int { acquireRelease = 0x8, subgroupMemory = 0x80, workgroupMemory = 0x100, globalMemory = 0x200 };
constexpr int allMemory = workgroupMemory | globalMemory;

/// Lanes of a segment of `width`, a power of two.
inline unsigned segmentStart(unsigned width) {
  return get_sub_group_local_id() & ~(width - 1);
}

/// The items of a ballot, of which a subgroup has 64 at most.
inline unsigned long long itemsOf(uint4 ballot) {
  if (__lathe_subgroup_size() <= 32) return ballot.x;
  return ballot.x | static_cast<unsigned long long>(ballot.y) << 32;
}

}  // namespace

#define LATHE_INDEX(name, function)            \
  LATHE_ENTRY unsigned __lathe_##name##_x() {  \
    return static_cast<unsigned>(function(0)); \
  }                                            \
  LATHE_ENTRY unsigned __lathe_##name##_y() {  \
    return static_cast<unsigned>(function(1)); \
  }                                            \
  LATHE_ENTRY unsigned __lathe_##name##_z() {  \
    return static_cast<unsigned>(function(2)); \
  }
LATHE_INDEX(group_id, get_group_id)
LATHE_INDEX(group_count, get_num_groups)
#define LATHE_LOCAL_ID(axis) static_cast<unsigned>(get_local_id(axis))
#define LATHE_LOCAL_SIZE(axis) static_cast<unsigned>(get_local_size(axis))
LATHE_ROW_INDICES(LATHE_LOCAL_ID(0), LATHE_LOCAL_ID(1), LATHE_LOCAL_ID(2), LATHE_LOCAL_SIZE(0), LATHE_LOCAL_SIZE(1),
                  LATHE_LOCAL_SIZE(2))

LATHE_ENTRY void __lathe_group_barrier() {
  __spirv_ControlBarrier(workgroupScope, workgroupScope, acquireRelease | allMemory);
}
LATHE_ENTRY void __lathe_subgroup_barrier(unsigned long long) {
  __spirv_ControlBarrier(subgroupScope, subgroupScope, acquireRelease | allMemory);
}

LATHE_ENTRY unsigned __lathe_subgroup_item_id() {
  return get_sub_group_local_id();
}
LATHE_ENTRY unsigned __lathe_shuffle_i32(unsigned long long, unsigned value, unsigned item, unsigned width) {
  return sub_group_shuffle(value, segmentStart(width) | (item & (width - 1)));
}
LATHE_ENTRY unsigned long long __lathe_ballot(unsigned long long mask, unsigned predicate) {
  return itemsOf(sub_group_ballot(predicate != 0)) & mask;
}
LATHE_ENTRY unsigned long long __lathe_active_mask() {
  return itemsOf(sub_group_ballot(1));
}

/// OpReadClockKHR; for descriptors with SPV_KHR_shader_clock.
LATHE_ENTRY unsigned long long __lathe_clock() {
  return clock_read_sub_group();
}

/// Nothing in SPIR-V for OpenCL does: it becomes a return from the kernel.
inline void lathe_state::endItem() {
  __lathe_end_item();
}
