// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device code for every target: the device ABI's `fallback` entries, made of other entries. Stage `libraries` links one
// where neither the descriptor nor the target's own device code has it. It is compiled once, for no target: functions
// here take and give numbers only, because pointers differ from one target to another; the one variable is
// group-shared, in portable IR's space for it.
#include <lathe/device/subgroup.h>
#include <lathe/sdk/device_matrix.h>

#define LATHE_ENTRY extern "C" __attribute__((always_inline, convergent))
/// An entry that others here call: weak, so that their calls stay calls, which a target may serve better.
/// Linking makes it one that is always inlined.
#define LATHE_CALLED_ENTRY extern "C" __attribute__((convergent, weak))

using Mask = unsigned long long;

// Where an item's segment has no such item, its own value. Distances may be any number, also one that a sum would wrap
// with.
LATHE_CALLED_ENTRY unsigned __lathe_shuffle_up_i32(Mask mask, unsigned value, unsigned delta, unsigned width) noexcept {
  const unsigned own = __lathe_subgroup_item_id(), before = own & (width - 1);
  return __lathe_shuffle_i32(mask, value, before < delta ? own : own - delta, width);
}
LATHE_CALLED_ENTRY unsigned __lathe_shuffle_down_i32(Mask mask, unsigned value, unsigned delta,
                                                     unsigned width) noexcept {
  const unsigned own = __lathe_subgroup_item_id(), rest = width - (own & (width - 1));
  return __lathe_shuffle_i32(mask, value, delta < rest ? own + delta : own, width);
}
LATHE_CALLED_ENTRY unsigned __lathe_shuffle_xor_i32(Mask mask, unsigned value, unsigned bits, unsigned width) noexcept {
  const unsigned own = __lathe_subgroup_item_id(), end = (own & ~(width - 1)) + width, from = own ^ bits;
  // Items of earlier segments can be read, which a shuffle within the item's own would not find.
  return __lathe_shuffle_i32(mask, value, from < end ? from : own, bits < width ? width : __lathe_subgroup_size());
}

LATHE_CALLED_ENTRY unsigned __lathe_vote_any(Mask mask, unsigned predicate) noexcept {
  return __lathe_ballot(mask, predicate) != 0;
}
LATHE_CALLED_ENTRY unsigned __lathe_vote_all(Mask mask, unsigned predicate) noexcept {
  return __lathe_ballot(mask, predicate == 0) == 0;
}

LATHE_ENTRY unsigned __lathe_rotate_i32(Mask mask, unsigned value, unsigned delta, unsigned width) noexcept {
  return __lathe_shuffle_i32(mask, value, __lathe_subgroup_item_id() + delta, width);
}

LATHE_CALLED_ENTRY Mask __lathe_match_any_i32(Mask mask, unsigned value) noexcept {
  return lathe::detail::match_any(mask, value);
}
LATHE_CALLED_ENTRY Mask __lathe_match_any_i64(Mask mask, unsigned long long value) noexcept {
  return lathe::detail::match_any(mask, value);
}
// If any item sees all of them match, every item does.
LATHE_ENTRY Mask __lathe_match_all_i32(Mask mask, unsigned value) noexcept {
  const Mask here = __lathe_ballot(mask, 1);
  return __lathe_match_any_i32(mask, value) == here ? here : 0;
}
LATHE_ENTRY Mask __lathe_match_all_i64(Mask mask, unsigned long long value) noexcept {
  const Mask here = __lathe_ballot(mask, 1);
  return __lathe_match_any_i64(mask, value) == here ? here : 0;
}

#define LATHE_REDUCE(name, type, operation)                                                                  \
  LATHE_ENTRY unsigned __lathe_reduce_##name##_i32(Mask mask, unsigned value) noexcept {                     \
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

// Where no item launches a kernel, none failed to.
LATHE_ENTRY unsigned __lathe_launch_status() noexcept {
  return 0;
}

// The barriers that count votes, made of a plain barrier and one shared counter.
namespace {

[[clang::loader_uninitialized]] __attribute__((address_space(3))) unsigned votes;

/// The number of items that passed non-zero. Every item resets the counter, because any may be the only one that has
/// not returned. The barrier before the reset protects items that still read an earlier count.
inline __attribute__((always_inline, convergent)) unsigned countVotes(unsigned predicate) {
  __lathe_group_barrier();
  __atomic_store_n(&votes, 0U, __ATOMIC_RELAXED);
  __lathe_group_barrier();
  if (predicate) __atomic_fetch_add(&votes, 1U, __ATOMIC_RELAXED);
  __lathe_group_barrier();
  return votes;
}

}  // namespace

LATHE_ENTRY unsigned __lathe_group_barrier_count(unsigned predicate) noexcept {
  return countVotes(predicate);
}
LATHE_ENTRY unsigned __lathe_group_barrier_or(unsigned predicate) noexcept {
  return countVotes(predicate) != 0;
}
LATHE_ENTRY unsigned __lathe_group_barrier_and(unsigned predicate) noexcept {
  return countVotes(predicate == 0) == 0;
}

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

// Products of matrices by shuffles, words lying over the items row by row.
LATHE_ENTRY unsigned __lathe_matrix_row(unsigned matrix, unsigned place) noexcept {
  return lathe_matrix::Rows::row(matrix, place);
}
LATHE_ENTRY unsigned __lathe_matrix_column(unsigned matrix, unsigned place) noexcept {
  return lathe_matrix::Rows::column(matrix, place);
}
#define LATHE_MULTIPLY(kind, ...)                                                                                  \
  LATHE_MATRIX_ENTRY(kind) {                                                                                       \
    return lathe_matrix::multiplied<lathe_matrix::Rows, lathe_matrix::__VA_ARGS__>(a0, a1, b0, b1, c0, c1, c2, c3, \
                                                                                   number);                        \
  }
LATHE_MULTIPLY(f16, AddHalves)
LATHE_MULTIPLY(bf16, AddBfloats)
LATHE_MULTIPLY(tf32, AddFloats)
LATHE_MULTIPLY(s8, AddBytes<signed char>)
LATHE_MULTIPLY(u8, AddBytes<unsigned char>)
