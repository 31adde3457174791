// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For a target's device.cpp: the barriers that count votes, made of a plain barrier and one shared counter, for targets
// that have no instruction for them. Include it in exactly one device.cpp of a target whose group space is 3.
#ifndef LATHE_SDK_DEVICE_VOTES_H
#define LATHE_SDK_DEVICE_VOTES_H

extern "C" {
void __lathe_group_barrier() __attribute__((convergent));
}

namespace lathe_votes {

[[clang::loader_uninitialized]] inline __attribute__((address_space(3))) unsigned counter;

/// The number of items that passed non-zero. Every item resets the counter, because any may be the only one that has
/// not returned. The barrier before the reset protects items that still read an earlier count.
inline __attribute__((always_inline, convergent)) unsigned count(unsigned predicate) {
  __lathe_group_barrier();
  __atomic_store_n(&counter, 0U, __ATOMIC_RELAXED);
  __lathe_group_barrier();
  if (predicate) __atomic_fetch_add(&counter, 1U, __ATOMIC_RELAXED);
  __lathe_group_barrier();
  return counter;
}

}  // namespace lathe_votes

extern "C" __attribute__((always_inline, convergent)) unsigned __lathe_group_barrier_count(unsigned predicate) {
  return lathe_votes::count(predicate);
}
extern "C" __attribute__((always_inline, convergent)) unsigned __lathe_group_barrier_or(unsigned predicate) {
  return lathe_votes::count(predicate) != 0;
}
extern "C" __attribute__((always_inline, convergent)) unsigned __lathe_group_barrier_and(unsigned predicate) {
  return lathe_votes::count(predicate == 0) == 0;
}

#endif
