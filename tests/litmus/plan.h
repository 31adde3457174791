// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parameters of a litmus launch, for host and device.
#pragma once

namespace litmus {

/// One launch's arrangement, the same for kernel and tally.
struct plan {
  unsigned instances;       ///< a power of two
  unsigned group_items;     ///< a power of two; that many instances belong to a group
  unsigned test_groups;     ///< the others make stress
  unsigned first_group;     ///< the number of the first test group, modulo all
  unsigned stride;          ///< words from one instance's word to the next
  unsigned role_factor[4];  ///< odd: role s of item v is of instance v * factor + offset
  unsigned role_offset[4];
  unsigned place_factor[4];  ///< odd: the same from an instance to its word
  unsigned place_offset[4];
  unsigned seed;
  unsigned jitter;         ///< most rounds of waiting before a role
  unsigned stress;         ///< rounds of a stress group
  unsigned scratch_words;  ///< a power of two
  unsigned steps;          ///< side by side: instances in a row, a power of two
  unsigned batch;          ///< of these between two barriers, a power of two
  unsigned turns;          ///< how often each participant takes a lock
  unsigned tries;          ///< how often it looks whether the lock is free
  unsigned locks;
};

}  // namespace litmus
