// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device ABI of the CPU where lowering alone does not provide it: subgroups, printing and failures. Indexing and
// the two plain barriers are work-group lowering's. Items share a thread, so one that fails ends its group: the runtime
// leaves the group's code by a jump. The functions called __lathe_host_… are the runtime's
// (runtimes/cpu/host/host_functions.h); its loader gives them to the code.
//
// A subgroup is 32 neighbours by linear position, as in CUDA. Its items meet at a subgroup barrier, which work-group
// lowering cuts at as it does at a group's, and exchange values through an array of the group with a place for each
// item: write, meet, read, meet. The second meeting keeps a value from being overwritten before everybody has read it.
// Items of other subgroups may be elsewhere at that time; they use other places. No argument leads out of the array.
#include <lathe/sdk/device_malloc.h>

// Lathe's runtime, which is told of failures, is for machines of 64 bits: elsewhere these entries are absent.
#if __SIZEOF_POINTER__ == 8
#include <lathe/sdk/device_state.h>

inline void lathe_state::endItem() {
  __lathe_host_end_group();
}

LATHE_STATE_ENTRY unsigned __lathe_print(const void* format, const void* arguments, const void* types) {
  return __lathe_host_print(format, arguments, types);
}
LATHE_STATE_ENTRY void __lathe_assert_fail(const void* expression, const void* file, unsigned line,
                                           const void* function) {
  lathe_state::fail(static_cast<lathe_state::ExceptionRecord*>(__lathe_host_exception()), 0,
                    lathe_state::ExceptionKind::assertion, expression, file, line, function);
}
LATHE_STATE_ENTRY void __lathe_trap() {
  lathe_state::fail(static_cast<lathe_state::ExceptionRecord*>(__lathe_host_exception()), 0,
                    lathe_state::ExceptionKind::trap, nullptr, nullptr, 0, nullptr);
}

// In functions that are not part of the kernel (core/lower/abi/device_abi.cpp): they do not know their item.
LATHE_STATE_ENTRY void __lathe_assert_fail_without_location(const void* expression, const void* file, unsigned line,
                                                            const void* function) {
  lathe_state::failWithoutLocation(static_cast<lathe_state::ExceptionRecord*>(__lathe_host_exception()), 0,
                                   lathe_state::ExceptionKind::assertion, expression, file, line, function);
}
LATHE_STATE_ENTRY void __lathe_trap_without_location() {
  lathe_state::failWithoutLocation(static_cast<lathe_state::ExceptionRecord*>(__lathe_host_exception()), 0,
                                   lathe_state::ExceptionKind::trap, nullptr, nullptr, 0, nullptr);
}

#endif

#define LATHE_ENTRY extern "C" __attribute__((always_inline, convergent))

namespace {

constexpr unsigned subgroupSize = 32;
/// The largest group of the cpu runtime. Subgroups in front and behind let neighbours be read without a question.
constexpr unsigned mostItems = 4096;

}  // namespace

/// Known by its name: exchanges that do not wait for one another share barriers (core/group/split/shuffle_batches.h).
extern "C" {
[[clang::loader_uninitialized]] inline
    __attribute__((address_space(3))) unsigned lathe_exchange[mostItems + 2 * subgroupSize];
}

namespace {

inline __attribute__((always_inline)) unsigned linearId() {
  return (__lathe_item_id_z() * __lathe_group_size_y() + __lathe_item_id_y()) * __lathe_group_size_x() +
         __lathe_item_id_x();
}

/// Where the item's value is read by others; places of neighbours are neighbours.
inline __attribute__((always_inline)) __attribute__((address_space(3))) unsigned* place() {
  return lathe_exchange + subgroupSize + linearId();
}

inline __attribute__((always_inline)) __attribute__((address_space(3))) unsigned* subgroupPlaces() {
  return lathe_exchange + subgroupSize + (linearId() & ~(subgroupSize - 1));
}

inline __attribute__((always_inline)) unsigned lane() {
  return linearId() & (subgroupSize - 1);
}

/// Which of the subgroup's places hold something other than 0.
inline __attribute__((always_inline)) unsigned occupied() {
  const auto* const places = subgroupPlaces();
  unsigned bits = 0;
  for (unsigned i = 0; i < subgroupSize; ++i) bits |= unsigned(places[i] != 0) << i;
  return bits;
}

}  // namespace

LATHE_ENTRY unsigned __lathe_subgroup_size() {
  return subgroupSize;
}
LATHE_ENTRY unsigned __lathe_subgroup_item_id() {
  return lane();
}

/// A barrier of nobody else: the item goes on when no other can without it.
LATHE_ENTRY void __lathe_item_yield() {
  __lathe_subgroup_barrier(1u << lane());
}

LATHE_ENTRY unsigned __lathe_shuffle_i32(unsigned mask, unsigned value, unsigned item, unsigned width) {
  *place() = value;
  __lathe_subgroup_barrier(mask);
  const unsigned out = subgroupPlaces()[((lane() & ~(width - 1)) | (item & (width - 1))) & (subgroupSize - 1)];
  __lathe_subgroup_barrier(mask);
  return out;
}
LATHE_ENTRY unsigned __lathe_shuffle_up_i32(unsigned mask, unsigned value, unsigned delta, unsigned width) {
  *place() = value;
  __lathe_subgroup_barrier(mask);
  const unsigned other = *(place() - (delta & (subgroupSize - 1)));
  __lathe_subgroup_barrier(mask);
  return (lane() & (width - 1)) < delta ? value : other;
}
LATHE_ENTRY unsigned __lathe_shuffle_down_i32(unsigned mask, unsigned value, unsigned delta, unsigned width) {
  *place() = value;
  __lathe_subgroup_barrier(mask);
  const unsigned other = place()[delta & (subgroupSize - 1)];
  __lathe_subgroup_barrier(mask);
  return width - (lane() & (width - 1)) <= delta ? value : other;
}
LATHE_ENTRY unsigned __lathe_shuffle_xor_i32(unsigned mask, unsigned value, unsigned lane_mask, unsigned width) {
  *place() = value;
  __lathe_subgroup_barrier(mask);
  const unsigned from = lane() ^ lane_mask;
  const unsigned out = subgroupPlaces()[(from < (lane() & ~(width - 1)) + width ? from : lane()) & (subgroupSize - 1)];
  __lathe_subgroup_barrier(mask);
  return out;
}

LATHE_ENTRY unsigned __lathe_ballot(unsigned mask, unsigned predicate) {
  *place() = predicate;
  const unsigned out = __lathe_subgroup_converge(mask) & occupied();  // not what items that returned have left there
  __lathe_subgroup_barrier(mask);
  return out & mask;  // of an item that the mask does not name, the others
}
LATHE_ENTRY unsigned __lathe_active_mask() {
  return __lathe_subgroup_converge(0);
}
// As the functions for all targets, but simplified together with the exchange: other code comes out else.
LATHE_ENTRY unsigned __lathe_vote_any(unsigned mask, unsigned predicate) {
  return __lathe_ballot(mask, predicate) != 0;
}
LATHE_ENTRY unsigned __lathe_vote_all(unsigned mask, unsigned predicate) {
  return __lathe_ballot(mask, predicate == 0) == 0;
}

// Matches and reductions by one exchange, where the functions for all targets need one a round.

namespace {

template <class T, class Join>
inline __attribute__((always_inline)) unsigned fold(unsigned mask, unsigned value, Join join) {
  *place() = value;
  const unsigned here = __lathe_subgroup_converge(mask);
  const auto* const places = subgroupPlaces();
  T all = static_cast<T>(value);
  for (unsigned i = 0; i < subgroupSize; ++i)
    if (here >> i & 1 && i != lane()) all = join(all, static_cast<T>(places[i]));
  __lathe_subgroup_barrier(mask);
  return static_cast<unsigned>(all);
}

}  // namespace

LATHE_ENTRY unsigned __lathe_match_any_i32(unsigned mask, unsigned value) {
  *place() = value;
  const unsigned here = __lathe_subgroup_converge(mask);
  const auto* const places = subgroupPlaces();
  unsigned same = 0;
  for (unsigned i = 0; i < subgroupSize; ++i) same |= unsigned(places[i] == value) << i;
  __lathe_subgroup_barrier(mask);
  return same & here;
}
LATHE_ENTRY unsigned __lathe_match_any_i64(unsigned mask, unsigned long long value) {
  return __lathe_match_any_i32(mask, unsigned(value)) & __lathe_match_any_i32(mask, unsigned(value >> 32));
}

namespace {

/// Whether an item of the group has taken the group's part in this round's barrier.
[[clang::loader_uninitialized]] inline __attribute__((address_space(3))) bool lathe_grid_arrived;

}  // namespace

/// One item waits for all, and so does the thread that runs them: a cooperative launch gives each group one. Items may
/// have returned, so it is the first that comes.
LATHE_ENTRY void __lathe_grid_barrier() {
  __lathe_group_barrier();
  lathe_grid_arrived = false;
  __lathe_group_barrier();
  if (!lathe_grid_arrived) {
    lathe_grid_arrived = true;
    if (!__lathe_host_grid_barrier()) __lathe_assert_fail("the launch is cooperative", nullptr, 0, nullptr);
  }
  __lathe_group_barrier();
}

#define LATHE_REDUCE(name, type, combine)                                                                  \
  LATHE_ENTRY unsigned __lathe_reduce_##name##_i32(unsigned mask, unsigned value) {                        \
    return fold<type>(mask, value, [](type a, type b) __attribute__((always_inline)) { return combine; }); \
  }
LATHE_REDUCE(add, unsigned, a + b)
LATHE_REDUCE(min, int, a < b ? a : b)
LATHE_REDUCE(max, int, a > b ? a : b)
LATHE_REDUCE(umin, unsigned, a < b ? a : b)
LATHE_REDUCE(umax, unsigned, a > b ? a : b)
LATHE_REDUCE(and, unsigned, a& b)
LATHE_REDUCE(or, unsigned, a | b)
LATHE_REDUCE(xor, unsigned, a ^ b)
