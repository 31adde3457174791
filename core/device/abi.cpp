// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device code for every target: the device ABI's `fallback` entries, made of other entries. Stage `libraries` links one
// where neither the descriptor nor the target's own device code has it. It is compiled once, for no target: functions
// here take and give numbers only, because pointers differ from one target to another.
#include <lathe/device/subgroup.h>

#define LATHE_ENTRY extern "C" __attribute__((always_inline, convergent))

LATHE_ENTRY unsigned long long __lathe_ballot_i64(unsigned long long mask, unsigned predicate) noexcept {
  return __lathe_ballot(static_cast<unsigned>(mask), predicate);
}

LATHE_ENTRY unsigned __lathe_rotate_i32(unsigned mask, unsigned value, unsigned delta, unsigned width) noexcept {
  return __lathe_shuffle_i32(mask, value, __lathe_subgroup_item_id() + delta, width);
}

LATHE_ENTRY unsigned __lathe_match_any_i32(unsigned mask, unsigned value) noexcept {
  return lathe::detail::match_any(mask, value);
}
LATHE_ENTRY unsigned __lathe_match_any_i64(unsigned mask, unsigned long long value) noexcept {
  return lathe::detail::match_any(mask, value);
}
// If any item sees all of them match, every item does.
LATHE_ENTRY unsigned __lathe_match_all_i32(unsigned mask, unsigned value) noexcept {
  const unsigned here = __lathe_ballot(mask, 1);
  return __lathe_match_any_i32(mask, value) == here ? here : 0;
}
LATHE_ENTRY unsigned __lathe_match_all_i64(unsigned mask, unsigned long long value) noexcept {
  const unsigned here = __lathe_ballot(mask, 1);
  return __lathe_match_any_i64(mask, value) == here ? here : 0;
}

#define LATHE_REDUCE(name, type, operation)                                                                  \
  LATHE_ENTRY unsigned __lathe_reduce_##name##_i32(unsigned mask, unsigned value) noexcept {                 \
    return static_cast<unsigned>(lathe::detail::reduce(mask, static_cast<type>(value), lathe::operation{})); \
  }
LATHE_REDUCE(add, unsigned, plus)
LATHE_REDUCE(min, int, minimum)
LATHE_REDUCE(max, int, maximum)
LATHE_REDUCE(umin, unsigned, minimum)
LATHE_REDUCE(umax, unsigned, maximum)
LATHE_REDUCE(and, unsigned, bit_and)
LATHE_REDUCE(or, unsigned, bit_or)
LATHE_REDUCE(xor, unsigned, bit_xor)

// The group's barrier, where the target has no other one for items that come apart.
LATHE_ENTRY void __lathe_group_barrier_apart() noexcept {
  __lathe_group_barrier();
}

// A group alone is a cluster of one.
LATHE_ENTRY void __lathe_cluster_arrive() noexcept {}
LATHE_ENTRY void __lathe_cluster_wait() noexcept {
  __lathe_group_barrier();
}
LATHE_ENTRY unsigned __lathe_cluster_group_id() noexcept {
  return 0;
}
#define LATHE_CLUSTER_SIZE(axis)                                \
  LATHE_ENTRY unsigned __lathe_cluster_size_##axis() noexcept { \
    return 1;                                                   \
  }
LATHE_CLUSTER_SIZE(x)
LATHE_CLUSTER_SIZE(y)
LATHE_CLUSTER_SIZE(z)

/// Waiting is never needed for a right result.
extern "C" __attribute__((always_inline)) void __lathe_sleep(unsigned) noexcept {}
